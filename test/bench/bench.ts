/**
 * `npm run bench`: what the gateway costs beside a service written by hand, both over the same upstream on this machine.
 * `--rounds 5 --seconds 2`, `--only TEXT` for the questions whose name holds it; see docs/performance.md for the others.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkAnswers, compare, type Bench } from './comparison.ts';
import { writeAnswers } from './files.ts';
import { createLoad } from './load.ts';
import { stop } from './processes.ts';
import { questions } from './questions.ts';
import { comparisonRow, comparisonTitles, printTable } from './report.ts';
import { startGateway, startHandWritten } from './services.ts';
import { startUpstream } from './upstream.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '2' },
    only: { type: 'string', default: '' },
    profile: { type: 'string' },
  },
});
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
const folder = mkdtempSync(join(tmpdir(), 'settlement-graph-bench-'));

async function startBench(): Promise<Bench> {
  await writeAnswers(join(folder, 'answers'));
  const upstream = await startUpstream(folder);
  const { program, send } = createLoad(folder);
  const [first] = questions;
  if (first === undefined) throw new Error('nothing to ask');
  const options = { folder, upstream: upstream.url, first, profiles: values.profile };
  const gateway = await startGateway(options);
  const handWritten = await startHandWritten(options);
  console.log(`${cpus().length} cores, Node ${process.versions.node}, upstream: ${upstream.program}, load: ${program}`);
  return { gateway, handWritten, upstream, send, seconds };
}

try {
  const bench = await startBench();
  const asked = questions.filter(({ name }) => name.includes(values.only));
  for (const question of asked) await checkAnswers(bench, question);
  const rows: (readonly string[])[] = [];
  for (const question of asked) rows.push(comparisonRow(await compare(bench, question, rounds)));
  printTable(comparisonTitles, rows);
} finally {
  await stop();
  rmSync(folder, { recursive: true, force: true });
}
