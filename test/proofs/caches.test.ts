import { expect, it } from 'vitest';
import { query, startScripted } from '../support/gateway.ts';
import { bytesInUse } from '../support/memory.ts';
import { success } from '../support/upstream.ts';
import { record } from './evidence.ts';

const warming = 4_000;
const all = 10_000;
const atOnce = 20;
const mebibyte = 1 << 20;

it('keeps no more of ten thousand documents, accept headers and callers than of four thousand', async () => {
  const { gateway, upstream } = await startScripted(() => success({ id: 'c1', type: 'wallet' }), {
    environment: { LOG_LEVEL: 'silent' },
  });
  const ask = async (index: number): Promise<void> => {
    const document = `query Screen${index} { customer(id: "c1") { id firstName lastName email mine${index}: type } }`;
    const headers = { svcprivatekey: `test-key-${index}`, accept: `application/json, text/x-${index}` };
    const { data } = await query(gateway, document, { headers });
    if (data?.customer?.[`mine${index}`] !== 'wallet') throw new Error(`wrong answer to document ${index}`);
  };
  const askUpTo = async (from: number, to: number): Promise<number> => {
    for (let start = from; start < to; start += atOnce)
      await Promise.all(Array.from({ length: atOnce }, (_, index) => ask(start + index)));
    (upstream.requests as unknown[]).length = 0; // what the test itself holds does not count
    return Math.round(bytesInUse() / mebibyte);
  };
  const residentMiB = (): number => Math.round(process.memoryUsage.rss() / mebibyte);
  const before = await askUpTo(0, atOnce);
  const warm = await askUpTo(atOnce, warming);
  const warmResident = residentMiB();
  const after = await askUpTo(warming, all);
  const resident = residentMiB();
  // The resident memory is that of the test's own process, clients included: recorded only.
  record(
    'Different documents, accept headers and callers',
    `${before} MiB held after ${atOnce}, ${warm} after ${warming}, ${after} after ${all}; resident ${warmResident} and ${resident} MiB`,
  );
  expect(after - warm).toBeLessThan(8);
  expect(warm - before).toBeLessThan(96);
}, 240_000);
