import DataLoader from 'dataloader';
import type { Awaitable } from './upstream/call.ts';
import type { Read, UpstreamRequest } from './upstream/operation.ts';

/** Makes one call of a read. */
export type ReadCall = <Input, Value>(operation: Read<Input, Value>, request: UpstreamRequest) => Awaitable<Value>;

export interface Loader {
  /** The answer to a read; equal reads of one request are one call. */
  readonly load: <Input, Value>(operation: Read<Input, Value>, input: Input) => Promise<Value>;
  /** Forgets every answer: after a write, what was read before may be untrue. */
  readonly clear: () => void;
}

const cacheKeyFn = ({ path }: UpstreamRequest): string => path;

type RequestLoader = DataLoader<UpstreamRequest, unknown, string>;

/** The memory of one request: one DataLoader per read, made at first use. */
export function createLoader(call: ReadCall): Loader {
  const loaders = new Map<string, RequestLoader>();

  const loaderFor = <Input, Value>(operation: Read<Input, Value>): RequestLoader => {
    const known = loaders.get(operation.name);
    if (known !== undefined) return known;
    const readNamed = async (request: UpstreamRequest) => {
      const value = await call(operation, request);
      rememberUnderOwnId(operation, request, value, made);
      return value;
    };
    const readOne = (request: UpstreamRequest) => call(operation, request);
    const read = operation.canonical === undefined ? readOne : readNamed;
    const made: RequestLoader = new DataLoader<UpstreamRequest, unknown, string>(
      // What is awaited goes out unawaited: each settles alone, so one slow answer holds back no other.
      (requests) => Promise.resolve(requests.map(read)),
      { cacheKeyFn },
    );
    loaders.set(operation.name, made);
    return made;
  };

  return {
    load: <Input, Value>(operation: Read<Input, Value>, input: Input) => {
      try {
        return loaderFor(operation).load(operation.request(input)) as Promise<Value>; // the operation's own decoder made it
      } catch (error) {
        return Promise.reject(error); // there is no such request
      }
    },
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
