import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { checkRow, createContract, type Contract, type CredentialName, type RowId } from '../../contract/contract.ts';
import type { PointerRow } from '../../upstream/decoding/field-decoders.ts';
import { compilePointers } from '../../upstream/decoding/json-pointer.ts';
import { createProber, type ProbeAnswer, type Prober, type ProberOptions } from './prober.ts';

/** The result for one row. `seen` names shapes, types and names of fields, never a value of a record. */
export interface Finding {
  readonly state: 'confirmed' | 'contradicted' | 'not observable';
  readonly seen?: string;
  readonly why?: string;
}

export interface CheckOptions extends ProberOptions {
  readonly overrides: Readonly<Record<string, unknown>>;
}

/** One check of a service: its call budget, its findings, and the contract with all corrections so far. */
export interface CheckRun extends Prober {
  readonly contract: () => Contract;
  readonly hasCredential: (name: CredentialName) => boolean;
  /** The answer to OPTIONS for a path that cannot exist, by at most one call. */
  readonly optionsElsewhere: () => Promise<ProbeAnswer>;
  /** Reads a value at the row's pointers. */
  readonly read: (id: PointerRow, source: unknown) => unknown;
  /** A contradicted row stays contradicted. */
  readonly confirm: (id: RowId) => void;
  /** Records a contradiction and corrects the contract, unless the row does not allow the correction. */
  readonly contradict: (id: RowId, seen: string, correction?: unknown) => void;
  /** Confirms a row whose value was observed, and corrects it by any other value. */
  readonly compare: (id: RowId, observed: unknown, seen: string) => void;
  /** Moves the finding of a row of all lists (`lists.page`) to the row of one list. */
  readonly narrow: (shared: RowId, own: RowId) => void;
  /** Records why a row without a finding is not observable. */
  readonly skip: (id: RowId, why: string) => void;
  /** Corrects a row that is not observable itself. */
  readonly suggest: (id: RowId, correction: unknown) => void;
  readonly findings: ReadonlyMap<RowId, Finding>;
  readonly corrections: ReadonlyMap<RowId, unknown>;
  /** Whether the overrides state the row, if only with its default. */
  readonly isOverridden: (id: RowId) => boolean;
  /** Evidence for decisions, which a person must make. */
  readonly proposals: Map<RowId, string>;
  /** The form of the amounts of each kind of record. */
  readonly unitsSeen: Map<'balance' | 'transaction', string>;
}

export function createCheckRun(options: CheckOptions): CheckRun {
  const { overrides, credentials } = options;
  const findings = new Map<RowId, Finding>();
  const corrections = new Map<RowId, unknown>();
  const prober = createProber(options, () => contract);
  let contract = createContract(overrides);
  let elsewhere: Promise<ProbeAnswer> | undefined;

  const confirm = (id: RowId): void => {
    if (findings.get(id)?.state !== 'contradicted') findings.set(id, { state: 'confirmed' });
  };
  const contradict = (id: RowId, seen: string, correction?: unknown): void => {
    findings.set(id, { state: 'contradicted', seen });
    if (correction === undefined || checkRow(id, correction).faults.length > 0) return;
    corrections.set(id, correction);
    correct();
  };
  const correct = (): void => {
    contract = createContract({ ...overrides, ...Object.fromEntries(corrections) });
  };
  const narrow = (shared: RowId, own: RowId): void => {
    findings.set(own, findings.get(shared) ?? { state: 'contradicted' });
    findings.set(shared, { state: 'not observable', why: 'not every list that pages shows it' });
    corrections.set(own, corrections.get(shared));
    corrections.delete(shared);
    correct();
  };

  return {
    contract: () => contract,
    hasCredential: (name) => credentials[name] !== undefined,
    ...prober,
    optionsElsewhere: () =>
      (elsewhere ??= prober.probe({
        operation: 'createCustomer',
        asksOptions: true,
        path: `/settlement-graph-check-${randomUUID()}`,
        credentials: contract['createCustomer.credentials'].filter((name) => credentials[name] !== undefined),
      })),
    read: (id, source) => compilePointers(contract[id]).read(source),
    confirm,
    contradict,
    narrow,
    compare: (id, observed, seen) =>
      isDeepStrictEqual(contract[id], observed) ? confirm(id) : contradict(id, seen, observed),
    skip: (id, why) => {
      if (!findings.has(id)) findings.set(id, { state: 'not observable', why });
    },
    suggest: (id, correction) => {
      corrections.set(id, correction);
    },
    isOverridden: (id) => Object.hasOwn(overrides, id),
    findings,
    corrections,
    proposals: new Map(),
    unitsSeen: new Map(),
  };
}

/** A check without a service: it only compares what it is given, and makes no call. */
export function createOfflineRun(overrides: CheckOptions['overrides']): CheckRun {
  const refuse = (): never => {
    throw new Error('A check of saved answers makes no calls.');
  };
  return createCheckRun({
    client: { send: refuse, request: refuse, opened: Promise.resolve(), close: () => Promise.resolve() },
    overrides,
    credentials: { bearer: undefined, privateKey: undefined },
    timeoutMs: 0,
    onCall: refuse,
  });
}
