import { onTestFinished } from 'vitest';
import { startBank } from '../../src/bank/bank.ts';
import { startUpstream, type SeenRequest } from './upstream.ts';

/** The embedded bank behind something that keeps every request to it; for reads. */
export async function startCountedBank(): Promise<{ readonly url: string; readonly requests: readonly SeenRequest[] }> {
  const bank = await startBank({ port: 0, database: ':memory:' });
  onTestFinished(bank.close);
  const upstream = await startUpstream(async ({ path, headers }) => {
    const { authorization, svcprivatekey } = headers;
    const answer = await fetch(bank.url + path, {
      headers: { authorization: authorization?.[0] ?? '', svcprivatekey: svcprivatekey?.[0] ?? '' },
    });
    return { status: answer.status, text: await answer.text(), headers: { 'content-type': 'application/json' } };
  });
  onTestFinished(upstream.close);
  return upstream;
}
