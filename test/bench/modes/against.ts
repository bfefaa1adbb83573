import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { questions } from '../questions.ts';
import { printTable } from '../report.ts';
import { startGateway } from '../services.ts';
import { startUpstream } from '../upstream.ts';
import { measureQuestions } from './comparison.ts';
import { selectNamed, type Bench } from './mode.ts';

const titles = [
  'question',
  'calls',
  'this build: CPU µs, requests/s, p50, p99',
  'the other: CPU µs, requests/s, p50, p99',
  'CPU ratio (lowest–highest)',
  '… of each pair of processes',
];

/** CPU per request of this build beside another checkout's, each with the memory settings of its own image. */
export async function runAgainst(bench: Bench): Promise<void> {
  const { folder, options } = bench;
  const other = resolve(options.against ?? '');
  if (!existsSync(join(other, 'dist/cli.js')))
    throw new Error(`${other} has no dist/cli.js: run \`npm run build\` there`);
  const upstream = await startUpstream(folder);
  const start = async () => ({
    ours: await startGateway({ folder, upstream: upstream.url }),
    theirs: await startGateway({ folder, upstream: upstream.url, root: other }),
  });
  printTable(titles, await measureQuestions(bench, upstream, selectNamed(questions, options.only), start));
}
