import DataLoader from 'dataloader';
import type { Read, UpstreamRequest } from './upstream/operation.ts';

/** Makes one call of a read. */
export type ReadCall = <Input, Value>(operation: Read<Input, Value>, request: UpstreamRequest) => Promise<Value>;

export interface Loader {
  /** The answer to a read; equal reads of one request are one call. */
  readonly load: <Input, Value>(operation: Read<Input, Value>, input: Input) => Promise<Value>;
  /** Forgets every answer: after a write, what was read before may be untrue. */
  readonly clear: () => void;
}

type RequestLoader = DataLoader<UpstreamRequest, unknown, string>;

/** The memory of one request: one DataLoader per read, made at first use. */
export function createLoader(call: ReadCall): Loader {
  const loaders = new Map<string, RequestLoader>();

  const loaderFor = <Input, Value>(operation: Read<Input, Value>): RequestLoader => {
    const known = loaders.get(operation.name);
    if (known !== undefined) return known;
    const readOne = async (request: UpstreamRequest): Promise<Value> => {
      const value = await call(operation, request);
      rememberUnderOwnId(operation, request, value, made);
      return value;
    };
    const made: RequestLoader = new DataLoader<UpstreamRequest, unknown, string>(
      // The promises go out unawaited: each settles alone, so one slow answer holds back no other.
      (requests) => Promise.resolve(requests.map(readOne)),
      { cacheKeyFn: ({ path }) => path },
    );
    loaders.set(operation.name, made);
    return made;
  };

  return {
    load: async <Input, Value>(operation: Read<Input, Value>, input: Input) =>
      loaderFor(operation).load(operation.request(input)) as Promise<Value>, // the operation's own decoder made it
    clear: () => loaders.clear(),
  };
}

/** A record asked for by a reference or an e-mail is known under its own id from then on. */
function rememberUnderOwnId<Input, Value>(
  operation: Read<Input, Value>,
  asked: UpstreamRequest,
  value: Value,
  loader: RequestLoader,
): void {
  const input = operation.canonical?.(value);
  if (input === undefined) return;
  const own = operation.request(input);
  if (own.path !== asked.path) loader.prime(own, value);
}
