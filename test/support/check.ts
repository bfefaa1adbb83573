import { expect, onTestFinished } from 'vitest';
import { checkAll } from '../../src/commands/contract-check/check-all.ts';
import {
  toCheckedRows,
  createCorrectionsFile,
  listUnexplained,
  printCheck,
  type CheckedRow,
} from '../../src/commands/contract-check/report.ts';
import { createCheckRun } from '../../src/commands/contract-check/check-run.ts';
import { createContract, describeContract } from '../../src/contract/contract.ts';
import { parseOverrides } from '../../src/contract/overrides-file.ts';
import { createHttpClient } from '../../src/upstream/wire/http-client.ts';
import { startUpstream, type Reply, type SeenRequest } from './upstream.ts';

export interface CheckResult {
  readonly rows: readonly CheckedRow[];
  /** The file of overrides that the check would write. */
  readonly file: string;
  /** Everything that the check prints. */
  readonly printed: string;
  readonly unexplained: readonly string[];
  /** One line per call. */
  readonly calls: readonly string[];
}

/** Checks a service with the demo credentials, as `settlement-graph contract check` does. */
export async function checkService(
  url: string,
  overrides: Readonly<Record<string, unknown>> = {},
  timeoutMs = 10_000,
): Promise<CheckResult> {
  const client = createHttpClient({ baseUrl: new URL(url), connections: 1 });
  const calls: string[] = [];
  const run = createCheckRun(overrides, {
    client,
    credentials: { bearer: ['authorization', 'Bearer demo-token'], privateKey: ['SVCPRIVATEKEY', 'demo-key'] },
    timeoutMs,
    onCall: (line) => void calls.push(line),
  });
  try {
    await checkAll(run);
  } finally {
    await client.close();
  }
  const rows = toCheckedRows(describeContract(createContract(overrides)), run.findings);
  const file = createCorrectionsFile(overrides, run.corrections, run.proposals);
  return { rows, file, printed: printCheck(rows), unexplained: listUnexplained(rows, run), calls };
}

/** The ids of the rows that a check found contradicted. */
export function contradicted({ rows }: CheckResult): readonly string[] {
  return rows.filter(({ state }) => state === 'contradicted').map(({ id }) => id);
}

/** The rows that a check would write. */
export function written({ file }: CheckResult): Readonly<Record<string, unknown>> {
  const { overrides, faults } = parseOverrides(file, 'written.yaml');
  expect(faults).toEqual([]);
  return overrides;
}

export function findingOf({ rows }: CheckResult, row: string) {
  const { state, seen, why } = rows.find(({ id }) => id === row) ?? {};
  return { state, seen, why };
}

export type Route = readonly [tail: RegExp, answer: (request: SeenRequest) => Reply];

/** A service that answers by the first route that the target matches. OPTIONS has no answer. */
export async function startService(...routes: readonly Route[]) {
  const upstream = await startUpstream((request) => {
    const [, answer] = routes.find(([target]) => request.method !== 'OPTIONS' && target.test(request.path)) ?? [];
    return answer?.(request) ?? notThere;
  });
  onTestFinished(upstream.close);
  return upstream;
}

export const notThere: Reply = { status: 404, json: { success: false, message: 'There is none.' } };
