import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { checkRow, createContract, type Contract, type CredentialName, type RowId } from '../../contract/contract.ts';
import type { PointerRow } from '../../upstream/decoding/field-decoders.ts';
import { compilePointers } from '../../upstream/decoding/json-pointer.ts';
import { createProber, type ProbeAnswer, type ProberOptions } from './prober.ts';

/** The result for one row. `seen` names shapes, types and names of fields, never a value of a record. */
export interface Finding {
  readonly state: 'confirmed' | 'contradicted' | 'not observable';
  readonly seen?: string;
  readonly why?: string;
}

export type CheckRun = ReturnType<typeof createCheckRun>;

const refuse = (): never => {
  throw new Error('A check of saved answers makes no calls.');
};
/** Options of a run without a service: it compares saved answers, and makes no call. */
const offline: ProberOptions = {
  client: { request: refuse },
  credentials: { bearer: undefined, privateKey: undefined },
  timeoutMs: 0,
  onCall: refuse,
};

/** One check of a service: its call budget, its findings, and the contract with all corrections so far. */
export function createCheckRun(overrides: Readonly<Record<string, unknown>>, options: ProberOptions = offline) {
  const findings = new Map<RowId, Finding>();
  const corrections = new Map<RowId, unknown>();
  const proposals = new Map<RowId, string>();
  // Created when it is read: rows that are valid only together are corrected one after the other.
  let current: Contract | undefined;
  const contract = (): Contract => (current ??= createContract({ ...overrides, ...Object.fromEntries(corrections) }));
  const prober = createProber(options, contract);
  let elsewhere: Promise<ProbeAnswer> | undefined;

  const hasCredential = (name: CredentialName): boolean => options.credentials[name] !== undefined;
  /** Corrects a row, for the steps that follow and for the file; `undefined` takes the correction back. */
  const correct = (id: RowId, value: unknown): void => {
    if (value === undefined) corrections.delete(id);
    else corrections.set(id, value);
    current = undefined;
  };
  /** A contradicted or corrected row stays what it is: an answer that fits the correction does not confirm the row. */
  const confirm = (id: RowId): void => {
    if (findings.get(id)?.state !== 'contradicted' && !corrections.has(id)) findings.set(id, { state: 'confirmed' });
  };
  /** Records a contradiction and corrects the contract, unless the row does not allow the correction. */
  const contradict = (id: RowId, seen: string, correction?: unknown): void => {
    findings.set(id, { state: 'contradicted', seen });
    if (correction !== undefined && checkRow(id, correction).faults.length === 0) correct(id, correction);
  };

  return {
    ...prober,
    contract,
    hasCredential,
    /** The answer to OPTIONS for a path that cannot exist, by at most one call. */
    optionsElsewhere: (): Promise<ProbeAnswer> =>
      (elsewhere ??= prober.probe({
        operation: 'createCustomer',
        isOptions: true,
        path: `/settlement-graph-check-${randomUUID()}`,
        credentials: contract()['createCustomer.credentials'].filter(hasCredential),
      })),
    read: (id: PointerRow, source: unknown): unknown => compilePointers(contract()[id]).read(source),
    confirm,
    contradict,
    /** Records a contradiction that a person resolves: `choice` becomes a comment in the file, beside a correction. */
    leave: (id: RowId, seen: string, choice: string, correction?: unknown): void => {
      contradict(id, seen, correction);
      proposals.set(id, choice);
    },
    /** Confirms a row whose value was observed, and corrects it by any other value. */
    compare: (id: RowId, observed: unknown, seen: string): void =>
      isDeepStrictEqual(contract()[id], observed) ? confirm(id) : contradict(id, seen, observed),
    /** Moves the finding of a row of all lists (`lists.page`) to the row of one list. */
    narrow: (shared: RowId, own: RowId): void => {
      findings.set(own, findings.get(shared) ?? { state: 'contradicted' });
      findings.set(shared, { state: 'not observable', why: 'not every list that pages shows it' });
      correct(own, corrections.get(shared));
      correct(shared, undefined);
    },
    /** Records why a row without a finding is not observable. */
    skip: (id: RowId, why: string): void => {
      if (!findings.has(id)) findings.set(id, { state: 'not observable', why });
    },
    /** Whether an answer has shown that the row is right, as given or as corrected. */
    isProven: (id: RowId): boolean => corrections.has(id) || findings.get(id)?.state === 'confirmed',
    /** Whether the overrides state the row, if only with its default. */
    isOverridden: (id: RowId): boolean => Object.hasOwn(overrides, id),
    findings,
    correct,
    /** The rows to write to the file. */
    corrections: corrections as ReadonlyMap<RowId, unknown>,
    /** Evidence for decisions, which a person must make. */
    proposals,
    /** The form of the amounts of each kind of record. */
    unitsSeen: new Map<'balance' | 'transaction', string>(),
  };
}
