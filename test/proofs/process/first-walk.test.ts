import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../support/folder.ts';
import { startCommand } from '../../support/process.ts';

const run = promisify(execFile);

/** Identifiers, account numbers and request ids of one run. */
const chance = /\b(?:cus|acc)_[\da-f]+|\b9\d{9}\b|[\da-f]{8}-[\da-f]{4}-[\da-f-]{22}/g;
const masked = (json: string): unknown => JSON.parse(json.replaceAll(chance, '?'));

it('runs as it stands in docs/first-walk.md, with the answers that stand there', async () => {
  const page = await readFile(new URL('../../../docs/first-walk.md', import.meta.url), 'utf8');
  const bank = startCommand('npm', ['start'], { environment: { IDEMPOTENCY_STORE: 'sqlite::memory:' } });
  const [, gatewayUrl = ''] = await bank.printed(/GraphQL\s+(http:\S+)\/graphql/);
  const [, bankUrl = ''] = await bank.printed(/bank\s+(http:\/\/127\S+)/i);
  const [start, ...blocks] = [...page.matchAll(/^```sh\n(.*?)^```/gms)].map(([, text = '']) => text);
  expect(start).toBe('npm ci && npm start\n');
  const script = blocks
    .join('')
    .replaceAll('http://127.0.0.1:4000', gatewayUrl)
    .replaceAll('http://127.0.0.1:4001', bankUrl);
  const { stdout } = await run('bash', ['-euc', script], { cwd: await temporaryFolder() }).catch(
    (error: Error & { stdout: string; code: number }) => {
      throw new Error(`exit ${error.code} after printing:\n${error.stdout}\nand, of the server:\n${bank.output()}`);
    },
  );
  const printed = stdout.split('\n').filter(Boolean).map(masked);
  const expected = [...page.matchAll(/^```json\n(.*?)^```/gms)].map(([, text = '']) => masked(text));
  expect(expected).toHaveLength(5);
  expect(printed).toEqual(expected);
});
