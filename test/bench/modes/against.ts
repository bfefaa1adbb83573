import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { checkAnswers, compare, type Rounds } from '../compare.ts';
import { measurePairs } from '../pairs.ts';
import { questions, type Question } from '../questions.ts';
import { printTable } from '../report.ts';
import { startGateway } from '../services.ts';
import { startUpstream } from '../upstream.ts';
import { toRow } from './comparison.ts';
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
  const measured = new Map<Question, Rounds[]>(selectNamed(questions, options.only).map((question) => [question, []]));
  const start = async () => ({
    current: await startGateway({ folder, upstream: upstream.url }),
    other: await startGateway({ folder, upstream: upstream.url, root: other }),
  });
  await measurePairs(options.rounds, start, async (pair, rounds) => {
    for (const question of measured.keys()) await checkAnswers([pair.current, pair.other], upstream, question);
    for (const [question, ofEach] of measured) {
      ofEach.push(await compare(bench, upstream, question, [pair.current, pair.other], rounds));
    }
  });
  printTable(titles, [...measured].map(toRow));
}
