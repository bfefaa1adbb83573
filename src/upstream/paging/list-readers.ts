import type { Connection } from '../../domain/records.ts';
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
  readonly clear: () => void;
}

/** A window, and what loads its pages once more where their answers are needed. */
interface ReadAhead {
  readonly connection: unknown;
  readonly pages: ((load: LoadPage) => Promise<unknown>)[];
}

export function createListReaders(): ListReaders {
  const windows = new Map<string, ReadAhead>();
  return {
    ahead: (load) => (list, args) => {
      const pages: ReadAhead['pages'] = [];
      const connection = readConnection(
        list,
        (read, input) => {
          pages.push((loadAgain) => loadAgain(read, input));
          return load(read, input);
        },
        args,
      );
      windows.set(keyOf(list, args), { connection, pages });
      return connection;
    },
    after:
      (load) =>
      <Value>(list: List<Value>, args: ListArguments<Value>) => {
        const window = windows.size > 0 && !args.embedded ? windows.get(keyOf(list, args)) : undefined;
        if (window === undefined) return readConnection(list, load, args);
        const connection = window.connection as Connection<Value>; // of the same list, with the same arguments
        // Its pages are in the loader. Loading them again reports that their answers, even a 401, were needed.
        return Promise.resolve(connection).finally(() => {
          void Promise.allSettled(window.pages.map((loadPage) => loadPage(load)));
        });
      },
    clear: () => windows.clear(),
  };
}

function keyOf<Value>(list: List<Value>, { parent, first, after, filters }: ListArguments<Value>): string {
  return JSON.stringify([list.name, parent?.id, first, after, filters]);
}
