/**
 * `npm run proofs`: vitest over the proofs, a tenth of the counts unless `--full`; other arguments go on to vitest. A
 * full run that passes writes its figures into docs/reliability-figures.md; one of some files only replaces their rows.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readFigures } from './figures.ts';

const root = join(import.meta.dirname, '../..');
const page = join(root, 'docs/reliability-figures.md');
const marked = /(<!-- figures:start -->\n).*(<!-- figures:end -->)/s;

const isFull = process.argv.includes('--full');
const passedOn = process.argv.slice(2).filter((argument) => argument !== '--full');
const folder = mkdtempSync(join(tmpdir(), 'settlement-graph-proofs-'));
const file = join(folder, 'figures.jsonl');
const reporters = ['--reporter=./test/proofs/figures.ts', '--reporter=default'];
const names = ['proofs', 'long-proofs', 'clients', 'measured-proofs', 'long-timed-proofs', 'timed-proofs'];
const projects = names.flatMap((name) => ['--project', name]);
const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', ...projects, ...reporters, ...passedOn],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PROOF_FIGURES: file, PROOFS: isFull ? 'full' : '' },
  },
);
if (isFull && status === 0) writeTable(readFigures(file));
rmSync(folder, { recursive: true });
process.exitCode = status ?? 1;

function writeTable(measured: ReadonlyMap<string, string>): void {
  const text = readFileSync(page, 'utf8');
  const kept = passedOn.length === 0 ? new Map<string, string>() : tableOf(text);
  const rows = [...kept, ...measured].map(([proof]) => proof);
  const lines = [...new Set(rows)].map((proof) => `| ${proof} | ${measured.get(proof) ?? kept.get(proof)} |\n`);
  const table = `| proof | figures |\n|---|---|\n${lines.join('')}`;
  writeFileSync(
    page,
    text.replace(marked, (_, start: string, end: string) => `${start}${table}${end}`),
  );
}

function tableOf(text: string): ReadonlyMap<string, string> {
  const rows = (marked.exec(text)?.[0] ?? '').matchAll(/^\| (?!proof \|)([^|]+) \| ([^|]+) \|$/gm);
  return new Map([...rows].map(([, proof = '', figure = '']) => [proof, figure]));
}
