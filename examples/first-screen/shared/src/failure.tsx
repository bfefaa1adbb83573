import { describeError } from 'settlement-graph-client';

export function Failure({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { sentence, requestId } = describeError(error);
  return (
    <p role="alert">
      {sentence} {onRetry && <button onClick={onRetry}>Try again</button>}
      {requestId && <small> Reference {requestId}</small>}
    </p>
  );
}
