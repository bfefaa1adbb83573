import { useEffect, useRef, useState } from 'react';
import { describeError } from 'settlement-graph/client';
import { Failure } from './failure.tsx';

interface MoreProps {
  readonly label: string;
  /** Loads the next page. */
  readonly load: () => Promise<{ readonly error?: unknown }>;
  /** Also when it scrolls into view, not only when it is pressed. */
  readonly isAutomatic?: boolean;
  /** At once. */
  readonly isImmediate?: boolean;
}

/** The way to the next page. Give it the page's end cursor as its key, so that each page starts anew. */
export function More({ label, load, isAutomatic = false, isImmediate = false }: MoreProps) {
  const [error, setError] = useState<unknown>();
  const [isLoading, setLoading] = useState(false);
  const button = useRef<HTMLButtonElement>(null);

  const loadOnce = async () => {
    setLoading(true);
    setError(undefined);
    const result = await load().catch((error: unknown) => ({ error }));
    setError(result.error);
    setLoading(false);
  };

  useEffect(() => {
    if (isImmediate) void loadOnce();
  }, []);

  useEffect(() => {
    const { current } = button;
    if (!isAutomatic || current === null) return undefined;
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting !== true) return;
      observer.disconnect();
      void loadOnce();
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, []);

  // The same cursor is refused again: only the list's start gives another one.
  const retry = () => (describeError(error).code === 'INVALID_CURSOR' ? window.location.reload() : void loadOnce());
  if (error !== undefined) return <Failure error={error} onRetry={retry} />;
  return (
    <button type="button" className="quiet more" ref={button} disabled={isLoading} onClick={() => void loadOnce()}>
      {isLoading ? 'Loading …' : label}
    </button>
  );
}
