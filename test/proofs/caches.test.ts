import { expect, it, onTestFinished } from 'vitest';
import { query, startScripted } from '../support/gateway.ts';
import { startGatewayProcess } from '../support/gateway-process.ts';
import { imageSettings } from '../support/image.ts';
import { bytesInUse } from '../support/memory.ts';
import { startUpstream, success } from '../support/upstream.ts';
import { record } from './evidence.ts';

const warming = 4_000;
const all = 10_000;
const atOnce = 20;
const mebibyte = 1 << 20;
const wallet = () => success({ id: 'c1', type: 'wallet' });

/** Asks with documents, accept headers and callers that were never there before, from one index to another. */
async function askAll(gateway: { readonly url: string }, from: number, to: number): Promise<void> {
  const ask = async (index: number): Promise<void> => {
    const document = `query Screen${index} { customer(id: "c1") { id firstName lastName email mine${index}: type } }`;
    const headers = { svcprivatekey: `test-key-${index}`, accept: `application/json, text/x-${index}` };
    const { data } = await query(gateway, document, { headers });
    if (data?.customer?.[`mine${index}`] !== 'wallet') throw new Error(`wrong answer to document ${index}`);
  };
  for (let start = from; start < to; start += atOnce)
    await Promise.all(Array.from({ length: atOnce }, (_, index) => ask(start + index)));
}

it('keeps no more of ten thousand documents, accept headers and callers than of four thousand', async () => {
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

it('takes no more memory of its machine for ten thousand more of them, with the memory settings of the image', async () => {
  const upstream = await startUpstream(wallet);
  onTestFinished(upstream.close);
  const { environment, flags } = imageSettings();
  const gateway = await startGatewayProcess(upstream.url, environment, flags);
  await askAll(gateway, 0, warming);
  const warm = await gateway.residentMiB();
  await askAll(gateway, warming, warming + all);
  const after = await gateway.residentMiB();
  record(
    'Different documents, accept headers and callers: resident memory under the image’s settings',
    `${warm} MiB after ${warming}, ${after} after ${warming + all}`,
  );
  // Without a bound each document would keep 20 KiB: 200 MiB.
  expect(after - warm).toBeLessThan(128);
}, 240_000);
