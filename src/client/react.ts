/** `settlement-graph/client/react`: a writer as a hook. Its one import beside the kit's own is React. */
import { useState } from 'react';
import { lookUp, type LookUpPage, type LookUpResult } from './look-up.ts';
import type { PendingWrite } from './pending-entry.ts';
import { createWriter, toValues, type WriterOptions, type WriteResult } from './writer.ts';

export interface UseWriterOptions<Input, Payload, Node> extends WriterOptions<Input, Payload> {
  /** Reads a page of the list in which the write can be looked up by its remembered values. */
  readonly readPage?: (values: PendingWrite['values'], after: string | null) => Promise<LookUpPage<Node>>;
}

export interface WriterState<Input, Result, Node> {
  /** What became of the last write, also of one before a reload; undefined once it was found or settled. */
  readonly result: Result | undefined;
  readonly isSending: boolean;
  readonly write: (input: Input) => Promise<Result>;
  /** Sends the same once more under its key, which cannot do it twice; undefined where that would tell nothing. */
  readonly repeat: (() => Promise<Result>) | undefined;
  /** Looks for the record of the write, and settles it where there is one; undefined without `readPage`. */
  readonly lookUp: (() => Promise<LookUpResult<Node>>) | undefined;
  readonly isLookingUp: boolean;
  readonly lookedUp: LookUpResult<Node> | undefined;
  /** Once its outcome is known: the next write has a key of its own. */
  readonly settle: () => void;
}

/**
 * A writer and the state of its last write. The options are those of the first rendering: give a component that is for one
 * record that record's id as its `key`.
 */
export function useWriter<
  Input extends object,
  Payload extends { readonly userErrors: readonly unknown[] },
  Node extends object = never,
>(
  options: UseWriterOptions<Input, Payload, Node>,
): WriterState<Input, WriteResult<Payload, Payload['userErrors'][number]>, Node> {
  type Result = WriteResult<Payload, Payload['userErrors'][number]>;
  const [{ readPage, remember, ...writer }] = useState(() => ({
    ...options,
    ...createWriter<Input, Payload>(options),
  }));
  const [result, setResult] = useState<Result | undefined>(() => {
    const pending = writer.pending();
    return pending && { is: 'unknown', error: undefined, canRepeat: false, ...pending };
  });
  const [sent, setSent] = useState<Input>();
  const [isSending, setSending] = useState(false);
  const [isLookingUp, setLookingUp] = useState(false);
  const [lookedUp, setLookedUp] = useState<LookUpResult<Node>>();
  const write = async (input: Input): Promise<Result> => {
    setSent(input);
    setLookedUp(undefined);
    setSending(true);
    const next = await writer.write(input);
    setSending(false);
    setResult(next);
    return next;
  };
  const find = async (read: NonNullable<typeof readPage>): Promise<LookUpResult<Node>> => {
    const values = result?.is === 'unknown' ? result.values : toValues(sent ?? {}, remember as never[]); // inputs of `sent`
    setLookingUp(true);
    const next = await lookUp(values, (after) => read(values, after));
    setLookingUp(false);
    if (next.is === 'found') settle();
    setLookedUp(next);
    return next;
  };
  const settle = (): void => {
    writer.settle();
    setResult(undefined);
    setLookedUp(undefined);
  };
  const canRepeat = sent !== undefined && result?.is === 'unknown' && result.canRepeat;
  return {
    result,
    isSending,
    write,
    repeat: canRepeat ? () => write(sent) : undefined,
    lookUp: readPage && (() => find(readPage)),
    isLookingUp,
    lookedUp,
    settle,
  };
}
