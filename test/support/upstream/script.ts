import { identifierIn, success, type Reply, type SeenRequest } from './upstream.ts';

type Script = (request: SeenRequest) => Reply | Promise<Reply>;

/**
 * A script out of a table: `GET /customers/c1` (the query left off) to its answer, or to a list of answers for one
 * request after the other, of which the last one stays. What is not on the table answers with a small record.
 */
export function routed(table: Readonly<Record<string, Reply | readonly Reply[]>>): Script {
  const counts = new Map<string, number>();
  return ({ method, path }) => {
    const target = `${method} ${path.replace('/api/v1', '').replace(/\?.*$/, '')}`;
    const count = counts.get(target) ?? 0;
    counts.set(target, count + 1);
    const replies = [table[target] ?? success({ id: identifierIn(path), balance: '1.00' })].flat();
    return replies[Math.min(count, replies.length - 1)] ?? {};
  };
}
