import { expect, it } from 'vitest';
import { query, startScripted } from '../../support/gateway.ts';
import { bytesInUse } from '../memory.ts';
import { success } from '../../support/upstream/upstream.ts';
import { isFull, record } from '../evidence.ts';

/** More than the caches hold: 2,000 callers, and 64 Ki nodes of documents. */
const warming = isFull ? 4_000 : 2_500;
const all = isFull ? 10_000 : 5_000;
const atOnce = 20;
const mebibyte = 1 << 20;
const wallet = () => success({ id: 'c1', type: 'wallet' });

/** Asks with documents, accept headers and callers that were never there before, from one index to another. */
async function askAll(gateway: { readonly url: string }, from: number, to: number): Promise<void> {
  const ask = async (index: number): Promise<void> => {
    const document = `query Screen${index.toString().padStart(40, '0')} { customer(id: "c1") { id firstName lastName email mine${index}: type } }`;
    const headers = { svcprivatekey: `test-key-${index}`, accept: `application/json, text/x-${index}` };
    const { data } = await query(gateway, document, { headers });
    if (data?.customer?.[`mine${index}`] !== 'wallet') throw new Error(`wrong answer to document ${index}`);
  };
  for (let start = from; start < to; start += atOnce)
    await Promise.all(Array.from({ length: atOnce }, (_, index) => ask(start + index)));
}

it('keeps no more of many thousand documents, accept headers and callers than fit its caches', async () => {
  const { gateway, upstream } = await startScripted(wallet, { environment: { LOG_LEVEL: 'silent' } });
  const askUpTo = async (from: number, to: number): Promise<number> => {
    await askAll(gateway, from, to);
    (upstream.requests as unknown[]).length = 0; // what the test itself holds does not count
    return Math.round(bytesInUse() / mebibyte);
  };
  const before = await askUpTo(0, atOnce);
  const warm = await askUpTo(atOnce, warming);
  const after = await askUpTo(warming, all);
  record(
    'Different documents, accept headers and callers: memory held',
    `${before} MiB after ${atOnce}, ${warm} after ${warming}, ${after} after ${all}`,
  );
  expect(after - warm).toBeLessThan(8);
  expect(warm - before).toBeLessThan(96);
}, 240_000);
