import type { Connection } from '../../domain/records.ts';
import { unansweredAhead } from '../operation.ts';
import { readConnection, type List, type ListArguments, type LoadPage } from './list.ts';

/** Reads a window of a list as a connection. */
export type ReadList = <Value>(
  list: List<Value>,
  args: ListArguments<Value>,
) => Connection<Value> | Promise<Connection<Value>>;

/**
 * Readers of lists by the loader of their pages. A window that was read `ahead` of its parent record is not read again
 * `after` it: the first reading may have shown a page cap, and the pages would now be requested in another size.
 */
export interface ListReaders {
  readonly ahead: (load: LoadPage) => ReadList;
  readonly after: (load: LoadPage) => ReadList;
}

/** A window that was read ahead, with the functions that load each of its pages again. */
interface ReadAhead {
  connection: unknown;
  readonly pages: ((load: LoadPage) => Promise<unknown>)[];
  /** Whether a page of it was not answered ahead. */
  isIncomplete: boolean;
}

export function createListReaders(): ListReaders {
  const windows = new Map<string, ReadAhead>();
  return {
    ahead: (load) => (list, args) => {
      const window: ReadAhead = { connection: undefined, pages: [], isIncomplete: false };
      const loadPage: LoadPage = async (read, input) => {
        window.pages.push((loadAgain) => loadAgain(read, input));
        try {
          return await load(read, input);
        } catch (error) {
          if (error === unansweredAhead) window.isIncomplete = true;
          throw error;
        }
      };
      const connection = readConnection(list, loadPage, args);
      window.connection = connection;
      windows.set(keyOf(list, args), window);
      return connection;
    },
    after:
      (load) =>
      <Value>(list: List<Value>, args: ListArguments<Value>) => {
        const window = windows.size > 0 ? windows.get(keyOf(list, args)) : undefined;
        if (window === undefined) return readConnection(list, load, args);
        return readAfter(window, load, () => readConnection(list, load, args));
      },
  };
}

async function readAfter<Value>(
  window: ReadAhead,
  load: LoadPage,
  readAgain: () => Connection<Value> | Promise<Connection<Value>>,
): Promise<Connection<Value>> {
  const connection = Promise.resolve(window.connection as Connection<Value>); // of the same list and arguments
  await connection.catch(() => {});
  if (window.isIncomplete) return readAgain();
  // The loader has its pages. Loading them again, without `isAhead`, makes a 401 among their answers count.
  void Promise.allSettled(window.pages.map((loadPage) => loadPage(load)));
  return connection;
}

function keyOf<Value>(list: List<Value>, { parent, first, after, filters }: ListArguments<Value>): string {
  return JSON.stringify([list.name, parent?.id, first, after, filters]);
}
