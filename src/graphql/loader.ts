import DataLoader from 'dataloader';
import { prefetchFailed, requestKey, type Operation, type Read, type UpstreamRequest } from '../upstream/operation.ts';

type SendRead = <Input, Value>(operation: Read<Input, Value>, request: UpstreamRequest) => Promise<Value>;

type OnNeededError = (operation: Operation, error: unknown) => void;

type Load = <Input, Value>(operation: Read<Input, Value>, input: Input) => Promise<Value>;

export interface Loader {
  /** Reads a value; equal reads of one GraphQL request are one call. Rejects with a GatewayError. */
  readonly load: Load;
  /** Reads a value that may turn out not to be needed. */
  readonly prefetch: Load;
  /** Removes every answer: after a write, earlier answers may be outdated. */
  readonly clear: () => void;
}

type OperationLoader = DataLoader<UpstreamRequest, unknown, string>;

/** The answers to one read operation by `requestKey`, and the loader of its next batch. */
interface AnswerCache {
  readonly answers: Map<string, Promise<unknown>>;
  loader: OperationLoader | undefined;
}

/**
 * Creates the loader of one GraphQL request. Each batch of an operation has a DataLoader of its own over the operation's
 * cache of answers, since a DataLoader keeps its last batch, with all keys and callbacks, in memory. Once a value was
 * prefetched, `onNeededError` is called with the error of each load, whose answer may be one of those.
 */
export function createLoader(send: SendRead, onNeededError: OnNeededError = () => {}): Loader {
  const caches = new Map<string, AnswerCache>();
  let hasPrefetched = false;

  const cacheOf = (name: string): AnswerCache => {
    const cache = caches.get(name) ?? { answers: new Map(), loader: undefined };
    caches.set(name, cache);
    return cache;
  };

  const loaderFor = <Input, Value>(operation: Read<Input, Value>): OperationLoader => {
    const cache = cacheOf(operation.name);
    if (cache.loader !== undefined) return cache.loader;
    const readAndPrime = async (request: UpstreamRequest) => {
      const value = await send(operation, request);
      primeUnderOwnId(operation, request, value, loader);
      return value;
    };
    const hasAliases = operation.canonical !== undefined;
    const read = hasAliases ? readAndPrime : (request: UpstreamRequest) => send(operation, request);
    const loader: OperationLoader = new DataLoader<UpstreamRequest, unknown, string>(
      (requests) => {
        cache.loader = undefined;
        // The promises are returned unawaited: each settles alone, so one slow answer holds back no other.
        return Promise.resolve(requests.map(read));
      },
      { cacheKeyFn: requestKey, cacheMap: cache.answers },
    );
    cache.loader = loader;
    return loader;
  };

  const loadRequest = <Input, Value>(operation: Read<Input, Value>, request: UpstreamRequest): Promise<Value> =>
    loaderFor(operation).load(request) as Promise<Value>; // the operation's own decoder made it

  /** Loads an answer that is needed and may have been prefetched. */
  const loadNeeded = async <Input, Value>(operation: Read<Input, Value>, request: UpstreamRequest): Promise<Value> => {
    const value = loadRequest(operation, request);
    const { answers } = cacheOf(operation.name);
    const key = requestKey(request);
    const answer = answers.get(key);
    try {
      return await value;
    } catch (error) {
      if (error === prefetchFailed) {
        if (answers.get(key) === answer) answers.delete(key);
        return loadNeeded(operation, request);
      }
      onNeededError(operation, error);
      throw error;
    }
  };

  const load = <Input, Value>(operation: Read<Input, Value>, input: Input, isPrefetch: boolean): Promise<Value> => {
    try {
      const request = operation.request(input);
      if (isPrefetch) {
        hasPrefetched = true;
        return loadRequest(operation, { ...request, isPrefetch });
      }
      return hasPrefetched ? loadNeeded(operation, request) : loadRequest(operation, request);
    } catch (error) {
      return Promise.reject(error); // the input is refused before any call
    }
  };

  return {
    load: (operation, input) => load(operation, input, false),
    prefetch: (operation, input) => load(operation, input, true),
    clear: () => caches.clear(),
  };
}

/** Makes a record that was read by a reference or an e-mail available under its own id, too. */
function primeUnderOwnId<Input, Value>(
  operation: Read<Input, Value>,
  request: UpstreamRequest,
  value: Value,
  loader: OperationLoader,
): void {
  const input = operation.canonical?.(value);
  if (input === undefined) return;
  const canonicalRequest = operation.request(input);
  if (requestKey(canonicalRequest) !== requestKey(request)) loader.prime(canonicalRequest, value);
}
