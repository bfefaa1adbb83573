import { useState } from 'react';
import { createWriter, type WriterOptions, type WriteResult } from 'settlement-graph/client';
import { isSessionExpired } from './session.ts';

type Options<Input, Payload> = Omit<WriterOptions<Input, Payload>, 'isNotSent' | 'storage'>;

/** A write and what has become of it: also after a reload, where it is unknown until it was looked up. */
export function useWriter<Input extends object, Payload extends { readonly userErrors: readonly unknown[] }>(
  options: Options<Input, Payload>,
) {
  const [writer] = useState(() =>
    createWriter<Input, Payload>({ ...options, storage: sessionStorage, isNotSent: isSessionExpired }),
  );
  const [result, setResult] = useState<WriteResult<Payload, Payload['userErrors'][number]> | undefined>(() => {
    const pending = writer.pending();
    return pending && { is: 'unknown', error: undefined, canRepeat: false, ...pending };
  });
  const [sent, setSent] = useState<Input>();
  const [isSending, setSending] = useState(false);
  const write = async (input: Input) => {
    setSent(input);
    setSending(true);
    const next = await writer.write(input);
    setSending(false);
    setResult(next);
    return next;
  };
  return {
    result,
    isSending,
    write,
    /** Sends the same once more, which is safe: it has the same key. */
    repeat: sent === undefined ? undefined : () => write(sent),
    /** After its outcome is known: the next write has a key of its own. */
    settle: () => {
      writer.settle();
      setResult(undefined);
    },
  };
}
