import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { maxCalls } from '../contract-tools/check/from-service.ts';
import { checkService } from '../contract-tools/check/check.ts';
import { isSuccess } from '../contract-tools/sample.ts';
import { createCorrectionsFile, printCheck, toCheckedRows } from '../contract-tools/report.ts';
import { createProgress, isSameFile, printReport } from './command-line.ts';
import type { CommandLine } from './usage.ts';
import type { Config } from '../config/config.ts';
import { findIgnored, rowsInForce } from './contract-overrides.ts';
import { overridesSchema } from '../contract/overrides-file.ts';
import { createContract, describeContract, type RowDescription } from '../contract/contract.ts';
import { createHttpClient } from '../upstream/index.ts';

/** `settlement-graph contract [check]`; returns the exit code. */
export async function contractCommand({ form, values }: CommandLine, readConfig: () => Config): Promise<number> {
  if (values.schema === true) {
    printReport(overridesSchema());
    return 0;
  }
  const config = readConfig();
  const { overrides, source } = await rowsInForce(config);
  if (form === 'contract check') return check(config, overrides, values);
  const ignored = config.upstream === 'embedded' ? findIgnored(overrides) : [];
  if (ignored.length > 0)
    console.error(`Without effect at the embedded bank, which decides otherwise: ${ignored.join(', ')}`);
  const rows = describeContract(createContract(overrides));
  printReport(values.json === true ? rows : `${toTable(rows)}rows of ${source}\n`);
  return 0;
}

/** 0: no contradiction; 1: contradictions; 2: the check could not run. */
async function check(
  config: Config,
  overrides: Readonly<Record<string, unknown>>,
  { json, write, cases }: { readonly json?: boolean; readonly write?: string; readonly cases?: string },
): Promise<number> {
  const { bearer, privateKey } = config.checkCredentials;
  if (config.upstream === 'embedded' || (bearer === undefined && privateKey === undefined)) {
    console.error('A check needs UPSTREAM_URL, and CHECK_BEARER or CHECK_PRIVATE_KEY or both.');
    return 2;
  }
  if (write !== undefined) requireOwnFile(write, config.contractFile);
  const client = createHttpClient({ baseUrl: config.upstream, connections: 1, proxy: config.proxy });
  const progress = createProgress();
  const run = await checkService(overrides, {
    client,
    credentials: {
      bearer: bearer === undefined ? undefined : ['authorization', `Bearer ${bearer}`],
      privateKey: privateKey === undefined ? undefined : [config.privateKeyHeader, privateKey],
    },
    timeoutMs: config.upstreamTimeoutMs,
    onCall: (line) => progress.show(line.replace(' ', ` of ${maxCalls} calls: `)),
  }).finally(() => {
    progress.end();
    void client.close();
  });
  const isContradicted = [...run.findings.values()].some(({ state }) => state === 'contradicted');
  if (!isContradicted && !run.samples.some(isSuccess)) {
    console.error(
      'No answer of the service could be compared with the contract. Check UPSTREAM_URL, PRIVATE_KEY_HEADER and the credentials.',
    );
    return 2;
  }
  const rows = toCheckedRows(describeContract(createContract(overrides)), run.findings);
  printReport(json === true ? rows : printCheck(rows));
  if (cases !== undefined) {
    const { writeCases } = await import('../contract-tools/cases/starter-cases.ts');
    await writeCases(cases, run.samples, run.contract());
  }
  if (write !== undefined) {
    const previous = existsSync(write) ? readFileSync(write, 'utf8') : '';
    writeFileSync(write, createCorrectionsFile(overrides, run.corrections, run.questions, previous));
    console.error(`Written: ${write}`);
  }
  if (isContradicted && write === undefined) {
    const file = config.contractFile ?? 'contract.yaml';
    console.error(`Write the rows that fit: settlement-graph contract check --write ${file}`);
  }
  return isContradicted ? 1 : 0;
}

/** A file that is overwritten must be empty or the contract's own, whose rows the check keeps. */
function requireOwnFile(file: string, contractFile = ''): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > 0 && !isSameFile(file, contractFile))
    throw new Error(`${file}: already there; allowed: another file, or the one of UPSTREAM_CONTRACT.`);
}

/** The contract as aligned text. */
function toTable(rows: readonly RowDescription[]): string {
  const width = Math.max(...rows.map(({ id }) => id.length));
  const lines = rows.map(({ id, kind, state, value, source }) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return `${id.padEnd(width)}  ${kind.padEnd(10)}  ${state.padEnd(10)}  ${text}  (${source})`;
  });
  const count = (kind: RowDescription['kind']): number => rows.filter((row) => row.kind === kind).length;
  const undecided = rows.filter(({ kind, state }) => kind === 'decision' && state === 'undecided').length;
  const summary = `${count('fact')} facts, ${count('assumption')} assumptions, ${count('decision')} decisions (${undecided} undecided)`;
  return `${lines.join('\n')}\n\n${summary}\n`;
}
