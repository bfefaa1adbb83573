import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../support/folder.ts';
import { install, root } from '../install.ts';
import { record } from '../evidence.ts';

interface Summary {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
}

it('the Fastify handler passes Apollo’s test suite for integrations', { timeout: 240_000 }, async () => {
  await install('test/apollo-integration');
  const cwd = join(root, 'test/apollo-integration');
  const file = join(await temporaryFolder(), 'summary.json');
  const jest = ['node_modules/jest/bin/jest.js', '--rootDir=.', '--json', `--outputFile=${file}`];
  await promisify(execFile)(process.execPath, ['--experimental-vm-modules', ...jest], { cwd }).catch(() => {});
  const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(file, 'utf8')) as Summary; // jest has just written it
  record('Apollo Server’s integration test suite', `${numPassedTests} tests passed, ${numFailedTests} failed`);
  expect(numFailedTests).toBe(0);
  expect(numPassedTests).toBeGreaterThan(200);
});
