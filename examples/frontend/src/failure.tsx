import { errorText } from './error-text.ts';

interface FailureProps {
  readonly error: unknown;
  readonly onRetry?: () => void;
}

/** What went wrong, how to go on, and what to quote to support. */
export function Failure({ error, onRetry }: FailureProps) {
  const { text, requestId, canRetry } = errorText(error);
  return (
    <div className="failure" role="alert">
      <p>{text}</p>
      {canRetry && onRetry !== undefined && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
      {requestId !== undefined && (
        <p className="fine">
          Support reference <code>{requestId}</code>
        </p>
      )}
    </div>
  );
}
