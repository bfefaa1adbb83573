import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { install } from '../../proofs/install.ts';
import { median } from '../median.ts';
import { checkAnswers, compare, ratiosOf, summary, type Rounds } from '../compare.ts';
import { stop } from '../programs.ts';
import { questions, type Question } from '../questions.ts';
import { startGateway, startHandWritten, startPeer, type Service } from '../services.ts';
import { startUpstream } from '../upstream.ts';
import { printTable, selectNamed, spread, type Bench } from './mode.ts';

/**
 * One process may be a third slower than another of the same program, from its start to its end: so all are started
 * anew, and every set of processes gives a share of the rounds.
 */
const sets = 3;

type Start = (upstream: string) => Promise<Service>;

/** CPU per request of the gateway beside the hand-written service's, at the four questions. */
export function runComparison(bench: Bench): Promise<void> {
  const { folder, options } = bench;
  const profiles = options.profile;
  return compareServices(bench, (upstream) => startGateway({ folder, upstream, profiles }), {
    'by hand': (upstream) => startHandWritten({ folder, upstream, profiles }),
  });
}

/** CPU per request of this build beside another checkout's, each with the memory settings of its own image. */
export function runAgainst(bench: Bench): Promise<void> {
  const { folder, options } = bench;
  const root = resolve(options.against ?? '');
  if (!existsSync(join(root, 'dist/cli.js')))
    throw new Error(`${root} has no dist/cli.js: run \`npm run build\` there`);
  return compareServices(bench, (upstream) => startGateway({ folder, upstream }), {
    'the other': (upstream) => startGateway({ folder, upstream, root }),
  });
}

/** CPU per request of the gateway beside the GraphQL servers that a team would write, and beside no GraphQL at all. */
export async function runPeers(bench: Bench): Promise<void> {
  const { folder } = bench;
  await install('test/bench/peers');
  await compareServices(bench, (upstream) => startGateway({ folder, upstream }), {
    'Apollo + Fastify': (upstream) => startPeer('apollo-fastify', { folder, upstream }),
    'Apollo standalone': (upstream) => startPeer('apollo-standalone', { folder, upstream }),
    'by hand': (upstream) => startHandWritten({ folder, upstream }),
  });
}

async function compareServices(
  bench: Bench,
  startOurs: Start,
  startOthers: Readonly<Record<string, Start>>,
): Promise<void> {
  const { folder, options } = bench;
  const upstream = await startUpstream(folder);
  const asked = selectNamed(questions, options.only);
  const measured = new Map<Question, Rounds[]>(asked.map((question) => [question, []]));
  // Each process leaves a profile under the same name.
  const count = options.profile === undefined ? sets : 1;
  for (let started = 0; started < count; started += 1) {
    const services: Record<string, Service> = { gateway: await startOurs(upstream.url) };
    for (const [name, start] of Object.entries(startOthers)) services[name] = await start(upstream.url);
    for (const question of asked) await checkAnswers(Object.values(services), upstream, question);
    for (const [question, ofEach] of measured)
      ofEach.push(await compare(bench, upstream, question, services, Math.ceil(options.rounds / count)));
    await stop(...Object.values(services).map(({ pid }) => pid));
  }
  const others = Object.keys(startOthers);
  const figures = 'CPU µs, requests/s, p50, p99';
  const titles = ['gateway', ...others].map((name) => `${name}: ${figures}`);
  const ratios = others.map((name) => `CPU ÷ ${name} (lowest–highest; of each set of processes)`);
  printTable(
    ['question', 'calls', ...titles, ...ratios],
    [...measured].map(([question, sets]) => toRow(question, sets, others)),
  );
}

function toRow({ name, calls }: Question, measured: readonly Rounds[], others: readonly string[]): readonly string[] {
  const sides = ['gateway', ...others].map((side) => summary(measured.flatMap((rounds) => rounds[side] ?? [])));
  const ratios = others.map((other) => {
    const ofEach = measured.map((rounds) => ratiosOf(rounds['gateway'], rounds[other]));
    return `${spread(ofEach.flat(), 2)}; ${ofEach.map((each) => median(each).toFixed(2)).join(', ')}`;
  });
  return [name, String(calls), ...sides, ...ratios];
}
