/** `npm run mutants`: every mutant, or those whose file or text holds one of the arguments. Exit 1 where one is unexplained. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { mutants, type Mutant } from './mutants.ts';

const root = join(import.meta.dirname, '../..');
const copied = [
  'src',
  'test',
  'deploy',
  'docs',
  'README.md',
  'schema.graphql',
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
];
const copies = 2;
const greenTimeoutMs = 1_200_000;
/** A mutant whose tests take so many times longer than without it, and the time to start, counts as killed: it hangs. */
const patience = 5;
const startMs = 30_000;

/** `broken`: no test ran at all, which proves nothing. */
export interface Result {
  readonly mutant: Mutant;
  readonly outcome: 'killed' | 'survived' | 'broken';
  /** The test that failed and what it said, or why there is none. */
  readonly by: string;
}

interface Run {
  readonly outcome: 'passed' | 'failed' | 'late' | 'broken';
  readonly by: string;
  readonly tookMs: number;
}

/**
 * Applies mutants one at a time to copies of the checkout and runs their tests. Throws for a mutant whose text does not
 * stand exactly once in its file, and for tests that fail without any mutant.
 */
export async function runMutants(
  chosen: readonly Mutant[],
  onResult: (result: Result) => void = () => {},
): Promise<readonly Result[]> {
  const sources = new Map(chosen.map((mutant) => [mutant, mutate(mutant)]));
  const folder = mkdtempSync(join(tmpdir(), 'settlement-graph-mutants-'));
  try {
    const waiting = [...chosen];
    const checkouts = Array.from({ length: copies }, (_, index) => copyTo(join(folder, String(index))));
    const runGreen = createGreenRuns();
    const work = async (checkout: string): Promise<readonly Result[]> => {
      const results: Result[] = [];
      for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
        let limitMs = startMs;
        for (const test of mutant.tests) limitMs += patience * (await runGreen(checkout, test));
        const result = await runMutant(checkout, mutant, sources.get(mutant) ?? '', limitMs);
        onResult(result);
        results.push(result);
      }
      return results;
    };
    return (await Promise.all(checkouts.map(work))).flat();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The text of the mutant's file. */
function mutate({ file, find, replace }: Mutant): string {
  const parts = readFileSync(join(root, file), 'utf8').split(find);
  if (parts.length !== 2) throw new Error(`${file}: stands there ${parts.length - 1} times, not once: ${find}`);
  return parts.join(replace);
}

function copyTo(checkout: string): string {
  for (const name of copied) {
    const options = { recursive: true, filter: (path: string) => basename(path) !== 'node_modules' };
    cpSync(join(root, name), join(checkout, name), options);
  }
  symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'));
  return checkout;
}

/**
 * Runs each file of tests without a mutant when it is first asked for, and tells how long it took. One that fails, as it
 * may beside other work, is run once more.
 */
function createGreenRuns(): (checkout: string, test: string) => Promise<number> {
  const runs = new Map<string, Promise<number>>();
  const run = async (checkout: string, test: string): Promise<number> => {
    const first = await runTests(checkout, [test], greenTimeoutMs);
    const { outcome, by, tookMs } =
      first.outcome === 'passed' ? first : await runTests(checkout, [test], greenTimeoutMs);
    if (outcome !== 'passed') throw new Error(`This test fails without a mutant: ${by}`);
    return tookMs;
  };
  return (checkout, test) => {
    const known = runs.get(test) ?? run(checkout, test);
    runs.set(test, known);
    return known;
  };
}

async function runMutant(checkout: string, mutant: Mutant, source: string, limitMs: number): Promise<Result> {
  const path = join(checkout, mutant.file);
  const original = readFileSync(path);
  writeFileSync(path, source);
  const { outcome, by } = await runTests(checkout, mutant.tests, limitMs);
  writeFileSync(path, original);
  if (outcome === 'broken') return { mutant, outcome, by };
  return { mutant, outcome: outcome === 'passed' ? 'survived' : 'killed', by };
}

interface Report {
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

/** Runs test files in a process of its own, up to the first failure. One that hangs has noticed, too. */
async function runTests(checkout: string, tests: readonly string[], limitMs: number): Promise<Run> {
  const output = join(checkout, 'report.json');
  rmSync(output, { force: true });
  const options = ['--project', 'tests', '--bail', '1', '--maxWorkers', '1', '--reporter', 'json'];
  const startedAt = performance.now();
  const child = spawn(
    process.execPath,
    [join('node_modules', 'vitest', 'vitest.mjs'), 'run', ...options, '--outputFile', output, ...tests],
    { cwd: checkout, stdio: 'ignore', env: environment() },
  );
  const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
  await once(child, 'exit');
  clearTimeout(timer);
  const tookMs = performance.now() - startedAt;
  if (child.signalCode !== null) return { outcome: 'late', by: `not done in ${limitMs} ms`, tookMs };
  if (child.exitCode === 0) return { outcome: 'passed', by: 'no test failed', tookMs };
  const { testResults } = JSON.parse(readFileSync(output, 'utf8')) as Report; // vitest's own format
  const [first] = testResults.flatMap(
    ({ assertionResults }) => assertionResults.find(({ status }) => status === 'failed') ?? [],
  );
  if (first === undefined)
    return { outcome: 'broken', by: testResults.map(({ message }) => message).join('\n'), tookMs };
  const [reason = ''] = first.failureMessages?.[0]?.split('\n') ?? [];
  return { outcome: 'failed', by: `${first.fullName}: ${reason.slice(0, 200)}`, tookMs };
}

/** Without what a vitest that runs this proof has put there for its own workers. */
function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:VITEST|PROOF|NODE_ENV$)/.test(name)));
}

/** One line for each mutant that lives, and the sum. */
export function summarize(results: readonly Result[]): {
  readonly figure: string;
  readonly killed: number;
  readonly unexplained: readonly string[];
} {
  const killed = results.filter(({ outcome }) => outcome === 'killed').length;
  const unexplained = results
    .filter(({ outcome, mutant }) => outcome === 'broken' || (outcome === 'survived' && mutant.survives === undefined))
    .map(({ outcome, mutant, by }) => `${outcome}: ${mutant.file}: ${mutant.find} → ${mutant.replace} (${by})`);
  const share = ((100 * killed) / results.length).toFixed(1);
  return { killed, figure: `${killed} of ${results.length} killed (${share} %)`, unexplained };
}

if (process.argv[1] === import.meta.filename) {
  const wanted = process.argv.slice(2);
  const chosen = mutants.filter(({ file, find }) =>
    wanted.length === 0 ? true : wanted.some((text) => file.includes(text) || find.includes(text)),
  );
  const results = await runMutants(chosen, ({ outcome, mutant, by }) => {
    process.stdout.write(`${outcome}  ${mutant.file}  ${mutant.find} → ${mutant.replace}\n    ${by}\n`);
  });
  const { figure, unexplained } = summarize(results);
  process.stdout.write([figure, ...unexplained, ''].join('\n'));
  process.exitCode = unexplained.length === 0 ? 0 : 1;
}
