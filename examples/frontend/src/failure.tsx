import { describeError } from 'settlement-graph/client';
import { isSessionExpired } from './session.ts';

interface FailureProps {
  /** Undefined where null was read again from the cache: what failed there was said before. */
  readonly error?: unknown;
  readonly onRetry?: (() => void) | undefined;
  /** What did not work, before the reason. */
  readonly what?: string;
}

/** What went wrong, how to go on, and what to quote to support. */
export function Failure({ error, onRetry, what }: FailureProps) {
  const { sentence, requestId, retryAfterSeconds, canRetry } = describeError(error);
  const reason = isSessionExpired(error) ? 'Your session had ended. Sign in, and try again.' : sentence;
  return (
    <div className="failure" role="alert">
      <p>
        {what} {error === undefined ? 'This could not be loaded.' : reason}
        {retryAfterSeconds !== undefined && ` Please wait ${retryAfterSeconds} seconds.`}
      </p>
      {onRetry !== undefined && (canRetry || isSessionExpired(error)) && (
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
