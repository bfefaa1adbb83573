import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { median } from '../median.ts';
import { checkAnswers, compare, ratiosOf, summary, type Rounds } from '../compare.ts';
import { stop } from '../programs.ts';
import { questions, type Question } from '../questions.ts';
import { startGateway, startHandWritten, type Service } from '../services.ts';
import { startUpstream } from '../upstream.ts';
import { printTable, selectNamed, spread, type Bench } from './mode.ts';

/**
 * One process may be a third slower than another of the same program, from its start to its end: so both are started
 * anew, and every pair of processes gives a share of the rounds.
 */
const pairs = 3;

type Start = (upstream: string) => Promise<Service>;

/** CPU per request of the gateway beside the hand-written service's, at the four questions. */
export function runComparison(bench: Bench): Promise<void> {
  const { folder, options } = bench;
  const profiles = options.profile;
  return compareServices(bench, 'by hand', {
    ours: (upstream) => startGateway({ folder, upstream, profiles }),
    theirs: (upstream) => startHandWritten({ folder, upstream, profiles }),
  });
}

/** CPU per request of this build beside another checkout's, each with the memory settings of its own image. */
export function runAgainst(bench: Bench): Promise<void> {
  const { folder, options } = bench;
  const root = resolve(options.against ?? '');
  if (!existsSync(join(root, 'dist/cli.js')))
    throw new Error(`${root} has no dist/cli.js: run \`npm run build\` there`);
  return compareServices(bench, 'the other', {
    ours: (upstream) => startGateway({ folder, upstream }),
    theirs: (upstream) => startGateway({ folder, upstream, root }),
  });
}

async function compareServices(
  bench: Bench,
  other: string,
  start: Readonly<Record<keyof Rounds, Start>>,
): Promise<void> {
  const { folder, options } = bench;
  const upstream = await startUpstream(folder);
  const asked = selectNamed(questions, options.only);
  const measured = new Map<Question, Rounds[]>(asked.map((question) => [question, []]));
  // Each process leaves a profile under the same name.
  const count = options.profile === undefined ? pairs : 1;
  for (let started = 0; started < count; started += 1) {
    const [ours, theirs] = [await start.ours(upstream.url), await start.theirs(upstream.url)];
    for (const question of asked) await checkAnswers([ours, theirs], upstream, question);
    for (const [question, ofEach] of measured)
      ofEach.push(await compare(bench, upstream, question, [ours, theirs], Math.ceil(options.rounds / count)));
    await stop(ours.pid, theirs.pid);
  }
  const figures = 'CPU µs, requests/s, p50, p99';
  const titles = ['question', 'calls', `gateway: ${figures}`, `${other}: ${figures}`];
  printTable([...titles, 'CPU ratio (lowest–highest)', '… of each pair of processes'], [...measured].map(toRow));
}

function toRow([{ name, calls }, measured]: readonly [Question, readonly Rounds[]]): readonly string[] {
  const ratios = measured.map(ratiosOf);
  const ofEach = ratios.map((pair) => median(pair).toFixed(2)).join(', ');
  const sides = (['ours', 'theirs'] as const).map((side) => summary(measured.flatMap((rounds) => rounds[side])));
  return [name, String(calls), ...sides, spread(ratios.flat(), 2), ofEach];
}
