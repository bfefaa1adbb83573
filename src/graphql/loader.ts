import DataLoader from 'dataloader';
import type { Awaitable } from '../upstream/calls/caller.ts';
import type { Read, UpstreamRequest } from '../upstream/operation.ts';

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

/** What one read was answered, by what it was asked for with, and what its next calls go out by. */
interface Memory {
  readonly answers: Map<string, Promise<unknown>>;
  loader: RequestLoader | undefined;
}

/**
 * The memory of one request: what each read was answered. What goes out together goes by a DataLoader of its own over
 * that memory, since a loader holds on to its last batch: the more calls wait the more there is to keep.
 */
export function createLoader(call: ReadCall): Loader {
  const memories = new Map<string, Memory>();

  const memoryOf = (name: string): Memory => {
    const known = memories.get(name);
    if (known !== undefined) return known;
    const memory: Memory = { answers: new Map(), loader: undefined };
    memories.set(name, memory);
    return memory;
  };

  const loaderFor = <Input, Value>(operation: Read<Input, Value>): RequestLoader => {
    const memory = memoryOf(operation.name);
    if (memory.loader !== undefined) return memory.loader;
    const readNamed = async (request: UpstreamRequest) => {
      const value = await call(operation, request);
      rememberUnderOwnId(operation, request, value, made);
      return value;
    };
    const read = operation.canonical === undefined ? (request: UpstreamRequest) => call(operation, request) : readNamed;
    const made: RequestLoader = new DataLoader<UpstreamRequest, unknown, string>(
      (requests) => {
        memory.loader = undefined;
        // What is awaited goes out unawaited: each settles alone, so one slow answer holds back no other.
        return Promise.resolve(requests.map(read));
      },
      { cacheKeyFn, cacheMap: memory.answers },
    );
    memory.loader = made;
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
    clear: () => memories.clear(),
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
