import { checkRow, createContract, type Contract, type RowId } from '../../contract/contract.ts';
import { contractRows } from '../../contract/service-rows.ts';
import { GatewayError } from '../../domain/errors.ts';
import { judge } from '../judge.ts';
import { proposeRows } from '../propose.ts';
import { isSuccess, type Sample } from '../sample.ts';
import { createService, type Question, type ServiceOptions } from './from-service.ts';

/** The result for one row. `seen` names shapes, types and names of fields, never a value of a record. */
export interface Finding {
  readonly state: 'confirmed' | 'contradicted' | 'not observable';
  readonly seen?: string;
  readonly why?: string;
}

export type CheckRun = ReturnType<typeof createCheckRun>;

/** What a check has found so far, and the contract with its corrections. Rows that the overrides state are not replaced. */
function createRows(overrides: Readonly<Record<string, unknown>>) {
  const findings = new Map<RowId, Finding>();
  const corrections = new Map<RowId, unknown>();
  const questions = new Map<RowId, string>();
  let current = createContract(overrides);
  const isStated = (row: RowId): boolean => Object.hasOwn(overrides, row);

  /** Corrects a row for the steps that follow and for the file, unless the rows would not be valid together. */
  const correct = (row: RowId, value: unknown): boolean => {
    if (isStated(row) || checkRow(row, value).faults.length > 0) return false;
    try {
      current = createContract({ ...overrides, ...Object.fromEntries(corrections), [row]: value });
    } catch {
      return false;
    }
    corrections.set(row, value);
    return true;
  };
  const confirm = (row: RowId): void => {
    if (findings.get(row)?.state !== 'contradicted' && !corrections.has(row)) findings.set(row, { state: 'confirmed' });
  };
  const contradict = (row: RowId, seen: string): void => void findings.set(row, { state: 'contradicted', seen });
  /** Leaves a row to a person; what can be undecided is so until then. */
  const leave = (row: RowId, question: string, seen = question): void => {
    if (isStated(row) && current[row] === 'undecided') return;
    questions.set(row, question);
    const isUndecided =
      !isStated(row) &&
      checkRow(row, 'undecided').faults.length === 0 &&
      Array.isArray(contractRows[row].value) === row.endsWith('identifiedBy');
    if (isUndecided && correct(row, 'undecided')) contradict(row, seen);
  };
  const replace = (row: RowId, value: unknown, seen = describe(value)): void => {
    questions.delete(row);
    contradict(row, seen);
    // A row in force is a person's: what is seen elsewhere is said, and nothing is replaced.
    if (!correct(row, value)) questions.set(row, `${JSON.stringify(value)}, perhaps: ${seen}`);
  };

  return {
    findings,
    corrections: corrections as ReadonlyMap<RowId, unknown>,
    questions,
    contract: (): Contract => current,
    isStated,
    correct: replace,
    leave,
    confirm,
    contradict,
    skip: (row: RowId, why: string): void => {
      if (!findings.has(row)) findings.set(row, { state: 'not observable', why });
    },
  };
}

/** Where a value stands, or what it is. */
function describe(value: unknown): string {
  const isPlace = Array.isArray(value) && value.every((each) => /^(?:\/|$)/.test(String(each)));
  return isPlace ? `it stands at ${value.join(', ')}` : `it is ${JSON.stringify(value)}`;
}

/** A check of one service: its rows, and the reads that show them. */
export function createCheckRun(overrides: Readonly<Record<string, unknown>>, options: ServiceOptions) {
  const rows = createRows(overrides);
  const { ask, walk, callsLeft } = createService(options);
  const samples: Sample[] = [];
  const proposed = new Set<RowId>();
  /** Takes an answer in, with the rows that it proposes. */
  const learn = (sample: Sample): void => {
    samples.push(sample);
    // What the answers so far left open, a further one may settle.
    for (const row of proposed) if (!rows.corrections.has(row)) rows.questions.delete(row);
    proposed.clear();
    for (const proposal of proposeRows(samples, rows.contract())) {
      if ('value' in proposal) rows.correct(proposal.row, proposal.value);
      else rows.leave(proposal.row, proposal.question);
      proposed.add(proposal.row);
    }
  };
  /** Reads once; undefined where no answer came, or the request may not be made. */
  const probe = (question: Question, contract = rows.contract()): Promise<Sample | undefined> =>
    ask(contract, question).catch((error: unknown) => {
      if (!(error instanceof GatewayError)) throw error;
      return undefined;
    });
  /** Reads once, and takes the answer in. */
  const read = async (question: Question, contract?: Contract): Promise<Sample | undefined> => {
    const sample = await probe(question, contract);
    if (sample !== undefined) learn(sample);
    return sample;
  };
  return { ...rows, samples: samples as readonly Sample[], learn, probe, read, walk, callsLeft };
}

/** What is provoked by the status that it should have, and the errors that its answer may be read as. */
const provoked: Readonly<Record<number, readonly [what: string, codes: readonly string[]]>> = {
  401: ['the answer to a wrong credential', ['UNAUTHENTICATED', 'FORBIDDEN']],
  404: ['the answer for an unknown record', []],
};

async function compare({ contract, confirm, contradict }: CheckRun, sample: Sample): Promise<void> {
  const { operation, status, meaning = 0 } = sample;
  const { reading, errors, findings } = await judge(sample, contract());
  const { error } = reading;
  const [what, codes] = provoked[meaning] ?? ['an answer'];
  const isForeseen = codes !== undefined && (error === undefined || codes.includes(error.code));
  for (const { code, details } of isForeseen ? [] : errors) {
    const { row, jsonPath } = details;
    if (code !== 'UPSTREAM_INVALID_RESPONSE' || row === undefined || !Object.hasOwn(contract(), row)) continue;
    const place = jsonPath === undefined ? '' : `, at ${jsonPath || 'the top'}`;
    contradict(row as RowId, `${what} (HTTP ${status}) cannot be read${place}`);
  }
  for (const { row, state } of findings) if (state === 'read') confirm(row as RowId);
  if (!isSuccess(sample) || (error !== undefined && error.code !== 'CONTRACT_UNDECIDED')) return;
  for (const property of ['path', 'method', 'credentials', 'idInBody'] as const) {
    const row = `${operation}.${property}` as 'getCustomer.idInBody'; // absent for a list of customers or banks
    if ((contract()[row] ?? null) !== null) confirm(row);
  }
  confirm('service.prefix');
}

/** Lets the gateway's own reader judge every answer under the corrected rows. */
export async function finishRun(run: CheckRun): Promise<void> {
  const contract = run.contract();
  // What stands inside a customer is read there, by no call of its own.
  const isInside = ({ operation }: Sample): boolean =>
    (operation === 'getCustomerBalance' && contract['customer.balance'].length > 0) ||
    (operation === 'listCustomerVirtualAccounts' && contract['customer.virtualAccounts'].length > 0);
  // A refusal of parameters that were corrected afterwards speaks against no row.
  const isSuperseded = ({ operation, status, meaning }: Sample): boolean =>
    status >= 300 &&
    meaning === undefined &&
    run.samples.some((each) => each.operation === operation && isSuccess(each));
  for (const sample of run.samples.filter((each) => !isInside(each) && !isSuperseded(each))) await compare(run, sample);
  for (const [row, { state, seen = '' }] of run.findings)
    if (row.endsWith('.path') && state === 'contradicted' && !run.corrections.has(row))
      run.leave(row, 'where it is, below service.prefix', seen);
}
