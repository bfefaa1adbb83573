/**
 * `npm run bench`: what the gateway costs beside a service written by hand, both over the same upstream on this machine;
 * `npm run bench -- slopes`, `latency`, `start`, `memory`, `processes`, `instructions`, `against FOLDER` (another
 * checkout's build), `overload` (answers and refusals under load, with `--against FOLDER` beside another build),
 * `executors` (beside graphql-js and others), `variants` (other forms of answers, traces, https, headers) or `all` for the
 * first six: docs/performance.md.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeAnswers } from './files.ts';
import { createLoad } from './load.ts';
import { runAgainst } from './modes/against.ts';
import { runComparison } from './modes/comparison.ts';
import { runExecutors } from './modes/executors.ts';
import { runLatency } from './modes/latency.ts';
import { runMemory } from './modes/memory.ts';
import { runInstructions } from './modes/instructions.ts';
import type { Bench } from './modes/mode.ts';
import { runOverload } from './modes/overload.ts';
import { runProcesses } from './modes/processes.ts';
import { runSlopes } from './modes/slopes.ts';
import { runStart } from './modes/start.ts';
import { runVariants } from './modes/variants.ts';
import { readOptions, type Mode, type Options } from './options.ts';
import { stop } from './programs.ts';
import { upstreamProgram } from './upstream.ts';

const run: Readonly<Record<Mode, (bench: Bench) => Promise<void>>> = {
  comparison: runComparison,
  slopes: runSlopes,
  latency: runLatency,
  start: runStart,
  memory: runMemory,
  processes: runProcesses,
  instructions: runInstructions,
  against: runAgainst,
  overload: runOverload,
  executors: runExecutors,
  variants: runVariants,
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
