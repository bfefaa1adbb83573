import type { CredentialName, Method, RowId } from '../../contract/contract.ts';
import { checkRow, createContract, type Contract } from '../../contract/contract.ts';
import { parseBody } from '../../upstream/decoding/interpret-answer.ts';
import type { HttpClient } from '../../upstream/wire/http-client.ts';
import { compilePath, isPathIdentifier } from '../../upstream/decoding/request-path.ts';

const maxCalls = 40;
const nothing: Seen = { status: undefined, body: undefined, allow: [] };

/** What a check found of one row. `seen` names shapes, types and names, never a value of a record. */
export interface Finding {
  readonly state: 'confirmed' | 'contradicted' | 'not observable';
  readonly seen?: string;
  readonly why?: string;
}

interface Probe {
  readonly method: 'GET' | 'OPTIONS';
  /** A template below the service's prefix; the identifier stays out of what is printed. */
  readonly path: string;
  readonly identifier?: string | undefined;
  /** With the question mark, or empty. */
  readonly query?: string;
  readonly as: readonly CredentialName[] | 'wrong';
}

/** An answer to a probe; `body` is undefined where it was no strict JSON, `status` where none came. */
export interface Seen {
  readonly status: number | undefined;
  /** Why there is no status: no answer came, or none was asked for any more. */
  readonly missing?: 'no answer' | 'the 40 calls were used up';
  readonly body: unknown;
  readonly allow: readonly Method[];
}

export interface SessionOptions {
  readonly client: HttpClient;
  readonly overrides: Readonly<Record<string, unknown>>;
  /** Credential headers by name; undefined for one that was not given. */
  readonly credentials: Readonly<Record<CredentialName, readonly [header: string, value: string] | undefined>>;
  readonly timeoutMs: number;
  /** Told of every call before it is made. */
  readonly onCall: (line: string) => void;
}

/**
 * One check of a service: the calls it may still make, what it has found, and the contract as corrected so far, so that
 * a later step builds on what an earlier one learnt.
 */
export interface Session {
  readonly contract: () => Contract;
  readonly has: (name: CredentialName) => boolean;
  /** GET or OPTIONS, nothing else: a check never writes. */
  readonly probe: (probe: Probe) => Promise<Seen>;
  readonly confirm: (id: RowId) => void;
  /** Records a contradiction; with a correction, the contract is corrected. */
  readonly contradict: (id: RowId, seen: string, correction?: unknown) => void;
  readonly leave: (id: RowId, why: string) => void;
  /** Corrects a row that no answer can show, by what others have shown. */
  readonly suggest: (id: RowId, correction: unknown) => void;
  readonly findings: ReadonlyMap<RowId, Finding>;
  /** Corrected rows. */
  readonly corrections: ReadonlyMap<RowId, unknown>;
  /** Evidence on decisions, which are left to a person. */
  readonly proposals: Map<RowId, string>;
  /** Whether any call got an answer. */
  readonly hasAnswered: () => boolean;
}

export function createSession({ client, overrides, credentials, timeoutMs, onCall }: SessionOptions): Session {
  const findings = new Map<RowId, Finding>();
  const corrections = new Map<RowId, unknown>();
  let contract = createContract(overrides);
  let calls = 0;
  let answered = false;

  const headersFor = (as: readonly CredentialName[] | 'wrong'): readonly string[] => {
    if (as !== 'wrong') return as.flatMap((name) => credentials[name] ?? []);
    return Object.values(credentials).flatMap((credential) =>
      credential === undefined ? [] : [credential[0], credential[1].replace(/\S+$/, 'not-a-credential')],
    );
  };

  return {
    contract: () => contract,
    has: (name) => credentials[name] !== undefined,
    probe: async ({ method, path, identifier = '', query = '', as }) => {
      if (calls >= maxCalls) return { ...nothing, missing: 'the 40 calls were used up' };
      const allowed = contract['identifiers.allow'];
      if (identifier !== '' && !isPathIdentifier(identifier, allowed)) return { ...nothing, missing: 'no answer' };
      calls += 1;
      onCall(`${calls} ${method} ${contract['service.prefix']}${path}`);
      const headers = ['accept', 'application/json', 'user-agent', 'settlement-graph', ...headersFor(as)];
      const target =
        contract['service.prefix'] + (identifier === '' ? path : compilePath(path, allowed)(identifier)) + query;
      const answer = await client.request({
        method,
        path: target,
        headers,
        body: undefined,
        timeoutMs,
        isWrite: false,
        lifetime: undefined,
      });
      if (answer.kind === 'failure') return { ...nothing, missing: 'no answer' };
      answered = true;
      return { status: answer.status, body: parseBody(answer.body), allow: toMethods(answer.allow) };
    },
    confirm: (id) => {
      if (findings.get(id)?.state !== 'contradicted') findings.set(id, { state: 'confirmed' });
    },
    contradict: (id, seen, correction) => {
      findings.set(id, { state: 'contradicted', seen });
      // A correction that the row itself would refuse is none.
      if (correction === undefined || checkRow(id, correction).faults.length > 0) return;
      corrections.set(id, correction);
      contract = createContract({ ...overrides, ...Object.fromEntries(corrections) });
    },
    leave: (id, why) => {
      if (!findings.has(id)) findings.set(id, { state: 'not observable', why });
    },
    suggest: (id, correction) => {
      corrections.set(id, correction);
    },
    findings,
    corrections,
    proposals: new Map(),
    hasAnswered: () => answered,
  };
}

function toMethods(allow: string | undefined): readonly Method[] {
  const known: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH'];
  const names = new Set((allow ?? '').toUpperCase().split(/[\s,]+/));
  return known.filter((method) => names.has(method));
}
