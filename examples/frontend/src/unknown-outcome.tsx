import { useEffect, useRef, type ReactNode } from 'react';
import { Reference } from './failure.tsx';

interface UnknownOutcomeProps {
  /** What is known of the write, and what is not. */
  readonly title: string;
  readonly error?: unknown;
  /** Where no answer came: sends the same under the same key, which cannot happen twice. */
  readonly onRepeat?: (() => unknown) | undefined;
  readonly isSending?: boolean;
  /** The look-up, where a repeat cannot tell. */
  readonly children: ReactNode;
}

/** A write was done, and its answer shows no record. */
export const acceptedUnseen = 'The service has accepted this, and has not said which account it is.';

/** A write was sent, and its answer does not say what became of it. To send it anew could do it twice. */
export function UnknownOutcome({ title, error, onRepeat, isSending = false, children }: UnknownOutcomeProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [title]);
  return (
    <section className="unknown" aria-labelledby="unknown">
      <h2 id="unknown" ref={heading} tabIndex={-1}>
        {title}
      </h2>
      <Reference error={error} />
      {onRepeat === undefined ? (
        children
      ) : (
        <>
          <p>No answer came. You can safely send the same once more: it cannot happen twice.</p>
          <button type="button" disabled={isSending} onClick={() => void onRepeat()}>
            Send once more
          </button>
        </>
      )}
    </section>
  );
}
