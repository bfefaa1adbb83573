import { checkRow, createContract, type Contract, type RowId } from '../../contract/contract.ts';
import { contractRows } from '../../contract/service-rows.ts';
import { judge } from '../judge.ts';
import { proposeRows, type SeenProposal } from '../propose.ts';
import { isSuccess, type Sample } from '../sample.ts';

/** The result for one row. `seen` names shapes, types and names of fields, never a value of a record. */
export interface Finding {
  readonly state: 'confirmed' | 'contradicted' | 'not observable';
  readonly seen?: string;
  readonly why?: string;
}

export type CheckRun = ReturnType<typeof createCheckRun>;

/** What a check has found so far, and the contract with its corrections. Rows that the overrides state are not replaced. */
export function createCheckRun(overrides: Readonly<Record<string, unknown>>) {
  const findings = new Map<RowId, Finding>();
  const corrections = new Map<RowId, unknown>();
  const questions = new Map<RowId, string>();
  const proposed = new Set<RowId>();
  const samples: Sample[] = [];
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
  const leave = (row: RowId, question: string, seen: string): void => {
    if (isStated(row) && current[row] === 'undecided') return;
    questions.set(row, question);
    const isUndecided =
      !isStated(row) &&
      checkRow(row, 'undecided').faults.length === 0 &&
      Array.isArray(contractRows[row].value) === row.endsWith('identifiedBy');
    if (isUndecided && correct(row, 'undecided')) contradict(row, seen);
  };
  const take = (proposal: SeenProposal): void => {
    const { row, seen } = proposal;
    if (!('value' in proposal)) return leave(row, proposal.question, seen);
    questions.delete(row);
    if (correct(row, proposal.value)) return contradict(row, seen);
    // A row in force is a person's: what is seen elsewhere is said, and nothing is replaced.
    contradict(row, seen);
    questions.set(row, `${JSON.stringify(proposal.value)}, perhaps: ${seen}`);
  };

  return {
    findings,
    corrections: corrections as ReadonlyMap<RowId, unknown>,
    questions: questions as ReadonlyMap<RowId, string>,
    contract: (): Contract => current,
    isStated,
    correct: (row: RowId, value: unknown, seen: string): void => take({ row, value, seen }),
    leave,
    confirm,
    contradict,
    skip: (row: RowId, why: string): void => {
      if (!findings.has(row)) findings.set(row, { state: 'not observable', why });
    },
    samples: samples as readonly Sample[],
    /** Takes an answer in, with the rows that it proposes. */
    learn: (sample: Sample): void => {
      samples.push(sample);
      // What the answers so far left open, a further one may settle.
      for (const row of proposed) if (!corrections.has(row)) questions.delete(row);
      proposed.clear();
      for (const proposal of proposeRows(samples, current)) {
        take(proposal);
        proposed.add(proposal.row);
      }
    },
    ask: (row: RowId, question: string): void => void (questions.has(row) || questions.set(row, question)),
  };
}

/** The error that an answer to a provoked failure should be read as; without one, any error speaks against a row. */
const expected: Readonly<Record<number, readonly string[]>> = { 401: ['UNAUTHENTICATED', 'FORBIDDEN'], 404: [] };

async function compare({ contract, confirm, contradict }: CheckRun, sample: Sample): Promise<void> {
  const { operation, status, meaning } = sample;
  const { reading, errors, findings } = await judge(sample, contract());
  const isForeseen =
    meaning !== undefined && (reading.error === undefined || expected[meaning]?.includes(reading.error.code) === true);
  const what =
    meaning === undefined
      ? 'an answer'
      : meaning === 404
        ? 'the answer for an unknown record'
        : 'the answer to a wrong credential';
  if (!isForeseen)
    for (const { code, details } of errors) {
      const row = details.row as RowId | undefined;
      if (code !== 'UPSTREAM_INVALID_RESPONSE' || row === undefined || !Object.hasOwn(contract(), row)) continue;
      contradict(
        row,
        `${what} (HTTP ${status}) cannot be read${details['jsonPath'] === undefined ? '' : `, at ${details['jsonPath'] || 'the top'}`}`,
      );
    }
  for (const { row, state } of findings) if (state === 'read') confirm(row as RowId);
  if (!isSuccess(sample) || (reading.error !== undefined && reading.error.code !== 'CONTRACT_UNDECIDED')) return;
  for (const property of ['path', 'method', 'credentials'] as const) confirm(`${operation}.${property}`);
  if (
    Object.hasOwn(contract(), `${operation}.idInBody`) &&
    contract()[`${operation as 'getCustomer'}.idInBody`] !== null
  )
    confirm(`${operation as 'getCustomer'}.idInBody`);
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
  for (const [row, { state }] of run.findings)
    if (row.endsWith('.path') && state === 'contradicted' && !run.corrections.has(row))
      run.ask(row, 'where it is, below service.prefix');
}
