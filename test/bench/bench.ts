/**
 * `npm run bench`: what the gateway costs beside a service written by hand, both over the same upstream on this machine;
 * `npm run bench -- peers` beside the GraphQL servers that a team would write; `latency`, `start`, `memory`, `overload`,
 * `against FOLDER` (another checkout's build) or `executors` (beside graphql-js): docs/performance.md.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeAnswers } from './files.ts';
import { createLoad } from './load.ts';
import { runAgainst, runComparison, runPeers } from './modes/comparison.ts';
import { runExecutors } from './modes/executors.ts';
import { runLatency } from './modes/latency.ts';
import { runMemory } from './modes/memory.ts';
import type { Bench } from './modes/mode.ts';
import { runOverload } from './modes/overload.ts';
import { runStart } from './modes/start.ts';
import { readOptions, type Mode, type Options } from './options.ts';
import { stop } from './programs.ts';
import { upstreamProgram } from './upstream.ts';

const run: Readonly<Record<Mode, (bench: Bench) => Promise<void>>> = {
  comparison: runComparison,
  latency: runLatency,
  start: runStart,
  memory: runMemory,
  peers: runPeers,
  against: runAgainst,
  overload: runOverload,
  executors: runExecutors,
};

function readOptionsOrExit(): Options {
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    const [sentence] = (error as Error).message.split('. '); // parseArgs goes on to explain its syntax
    console.error(`bench: ${sentence}`);
    return process.exit(2);
  }
}

const options = readOptionsOrExit();
const folder = mkdtempSync(join(tmpdir(), 'settlement-graph-bench-'));

process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

await writeAnswers(join(folder, 'answers'));
const { program, send } = createLoad(folder);
console.log(`${cpus().length} cores, Node ${process.versions.node}, upstream: ${upstreamProgram}, load: ${program}`);
for (const mode of options.modes) {
  console.log(`\n${mode}`);
  await run[mode]({ folder, send, options });
  await stop();
}
