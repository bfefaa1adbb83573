import { isDeepStrictEqual } from 'node:util';
import { checkRow, createContract, type Contract, type CredentialName, type RowId } from '../../contract/contract.ts';
import type { PointerRow } from '../../upstream/decoding/field-decoders.ts';
import { parseBody } from '../../upstream/decoding/interpret-answer.ts';
import { compilePointers } from '../../upstream/decoding/json-pointer.ts';
import { compilePath, isPathIdentifier } from '../../upstream/decoding/request-path.ts';
import type { HttpClient } from '../../upstream/wire/http-client.ts';

const maxCalls = 60;
const noAnswer = { status: undefined, body: undefined, allow: [] };

/** The result for one row. `seen` names shapes, types and names of fields, never a value of a record. */
export interface Finding {
  readonly state: 'confirmed' | 'contradicted' | 'not observable';
  readonly seen?: string;
  readonly why?: string;
}

interface Probe {
  readonly method: 'GET' | 'OPTIONS';
  /** A template below the service's prefix. It is printed; the identifier is not. */
  readonly path: string;
  readonly identifier?: string | undefined;
  /** With the question mark, or empty. */
  readonly query?: string;
  readonly credentials: readonly CredentialName[] | 'wrong';
}

/** `status` is undefined where no answer came, `body` where it is not strict JSON. */
export interface ProbeAnswer {
  readonly status: number | undefined;
  /** Why there is no status. */
  readonly missing?: 'no answer' | 'the 60 calls were used up';
  readonly body: unknown;
  /** Methods of the Allow header, in upper case. */
  readonly allow: readonly string[];
}

export interface CheckOptions {
  readonly client: HttpClient;
  readonly overrides: Readonly<Record<string, unknown>>;
  readonly credentials: Readonly<Record<CredentialName, readonly [header: string, value: string] | undefined>>;
  readonly timeoutMs: number;
  /** Called with a line of text before each call. */
  readonly onCall: (line: string) => void;
}

/** One check of a service: its call budget, its findings, and the contract with all corrections so far. */
export interface CheckRun {
  readonly contract: () => Contract;
  readonly hasCredential: (name: CredentialName) => boolean;
  /** Sends GET or OPTIONS, nothing else: a check never writes. */
  readonly probe: (probe: Probe) => Promise<ProbeAnswer>;
  /** Reads a value at the row's pointers. */
  readonly read: (id: PointerRow, source: unknown) => unknown;
  /** A contradicted row stays contradicted. */
  readonly confirm: (id: RowId) => void;
  /** Records a contradiction and corrects the contract, unless the row does not allow the correction. */
  readonly contradict: (id: RowId, seen: string, correction?: unknown) => void;
  /** Confirms a row whose value was observed, and corrects it by any other value. */
  readonly compare: (id: RowId, observed: unknown, seen: string) => void;
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
}

export function createCheckRun({ client, overrides, credentials, timeoutMs, onCall }: CheckOptions): CheckRun {
  const findings = new Map<RowId, Finding>();
  const corrections = new Map<RowId, unknown>();
  let contract = createContract(overrides);
  let calls = 0;

  const headersFor = (names: Probe['credentials']): readonly string[] => {
    if (names !== 'wrong') return names.flatMap((name) => credentials[name] ?? []);
    return Object.values(credentials).flatMap((credential) =>
      credential === undefined ? [] : [credential[0], credential[1].replace(/\S+$/, 'not-a-credential')],
    );
  };
  const confirm = (id: RowId): void => {
    if (findings.get(id)?.state !== 'contradicted') findings.set(id, { state: 'confirmed' });
  };
  const contradict = (id: RowId, seen: string, correction?: unknown): void => {
    findings.set(id, { state: 'contradicted', seen });
    if (correction === undefined || checkRow(id, correction).faults.length > 0) return;
    corrections.set(id, correction);
    contract = createContract({ ...overrides, ...Object.fromEntries(corrections) });
  };

  return {
    contract: () => contract,
    hasCredential: (name) => credentials[name] !== undefined,
    probe: async ({ method, path, identifier = '', query = '', credentials: names }) => {
      if (calls >= maxCalls) return { ...noAnswer, missing: 'the 60 calls were used up' };
      const allowed = contract['identifiers.allow'];
      if (identifier !== '' && !isPathIdentifier(identifier, allowed)) return { ...noAnswer, missing: 'no answer' };
      calls += 1;
      const prefix = contract['service.prefix'];
      onCall(`${calls} ${method} ${prefix}${path}`);
      const send = () =>
        client.request({
          method,
          path: prefix + (identifier === '' ? path : compilePath(path, allowed)({ id: identifier })) + query,
          headers: ['accept', contract['service.contentType'], 'user-agent', 'settlement-graph', ...headersFor(names)],
          body: undefined,
          timeoutMs,
          isWrite: false,
          lifetime: undefined,
        });
      let answer = await send();
      if (answer.kind === 'failure' && calls < maxCalls) {
        calls += 1;
        onCall(`${calls} ${method} ${prefix}${path} (again: no answer)`);
        answer = await send();
      }
      if (answer.kind === 'failure') return { ...noAnswer, missing: 'no answer' };
      const allow = (answer.allow ?? '').toUpperCase().split(/[\s,]+/);
      return { status: answer.status, body: parseBody(answer.body), allow };
    },
    read: (id, source) => compilePointers(contract[id]).read(source),
    confirm,
    contradict,
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
