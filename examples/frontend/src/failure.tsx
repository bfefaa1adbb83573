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
  const { sentence, retryAfterSeconds, canRetry } = describeError(error);
  return (
    <div className="failure" role="alert">
      <p>
        {what} {isSessionExpired(error) ? 'Your session had ended. Sign in, and try again.' : sentence}
        {retryAfterSeconds !== undefined && ` Please wait ${retryAfterSeconds} seconds.`}
      </p>
      {onRetry !== undefined && (canRetry || isSessionExpired(error)) && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
      <Reference error={error} />
    </div>
  );
}

/** Finds the cause in the gateway's log. */
export function Reference({ error }: { readonly error: unknown }) {
  const { requestId } = describeError(error);
  if (requestId === undefined) return null;
  return (
    <p className="fine">
      Support reference <code>{requestId}</code>
    </p>
  );
}
