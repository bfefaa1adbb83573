import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { record } from './evidence.ts';

interface Summary {
  readonly numTotalTests: number;
  readonly numPassedTests: number;
}

it('answers the whole client-facing suite by plans as it does by Apollo', { timeout: 400_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'settlement-graph-hot-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'summary.json');
  const args = ['run', '--project', 'tests', '--reporter=json', `--outputFile=${file}`, 'test/gateway'];
  const environment = { ...process.env, QUERIES: 'hot' };
  await promisify(execFile)(process.execPath, ['node_modules/vitest/vitest.mjs', ...args], { env: environment });
  const { numTotalTests, numPassedTests } = JSON.parse(readFileSync(file, 'utf8')) as Summary; // vitest has just written it
  record('The client-facing suite by plans', `${numPassedTests} of ${numTotalTests} tests passed`);
  expect(numPassedTests).toBe(numTotalTests);
  expect(numTotalTests).toBeGreaterThan(1_000);
});
