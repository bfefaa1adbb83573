import {
  contractOfList,
  pathTemplate,
  type Contract,
  type CredentialName,
  type OperationName,
  type RowId,
} from '../../contract/contract.ts';
import { fieldsInPath } from '../../contract/addressing.ts';
import { extraFields } from '../../contract/extra-rows.ts';
import { isList } from '../operation-kinds.ts';
import { createEnvelope } from '../../upstream/decoding/envelope.ts';
import { textOrNumber } from '../../upstream/decoding/exact-json.ts';
import { compilePointers } from '../../upstream/decoding/json-pointer.ts';
import { parseBody } from '../../upstream/decoding/interpret-answer.ts';
import { createCommonHeaders } from '../../upstream/credentials/request-headers.ts';
import { isPathIdentifier } from '../../upstream/decoding/identifiers.ts';
import { operationBasics } from '../../upstream/decoding/request-path.ts';
import type { HttpClient } from '../../upstream/wire/http-client.ts';

const maxCalls = 60;
const noAnswer = { status: undefined, body: undefined, allow: [] };

export interface Probe {
  /** A read, or the operation whose path OPTIONS is sent to. */
  readonly operation: OperationName;
  readonly isOptions?: boolean;
  /** A template below the service's prefix. It is printed; the identifier is not. */
  readonly path: string;
  readonly identifier?: string | undefined;
  /** The query with its question mark, or an empty text. */
  readonly query?: string;
  readonly credentials: readonly CredentialName[] | 'wrong';
  /** The media type asked for, where it is not the contract's. */
  readonly accept?: string | undefined;
  /** False for an answer that is no sample of the operation's. */
  readonly isSample?: boolean;
}

/** `status` is undefined where no answer came, `body` where it is not strict JSON. */
export interface ProbeAnswer {
  readonly status: number | undefined;
  /** Why there is no status. */
  readonly missing?: string;
  readonly body: unknown;
  /** The identifier that was sent. */
  readonly identifier?: string;
  /** The media type of the body, without parameters. */
  readonly mediaType?: string | undefined;
  /** Methods of the Allow header, in upper case. */
  readonly allow: readonly string[];
  readonly link?: string | undefined;
  readonly totalCount?: string | undefined;
}

/** An answer to a read, with the identifier that was sent. */
interface ReadAnswer {
  readonly operation: OperationName;
  readonly status: number;
  readonly body: unknown;
  readonly identifier: string;
}

export interface ProberOptions {
  readonly client: Pick<HttpClient, 'request'>;
  readonly credentials: Readonly<Record<CredentialName, readonly [header: string, value: string] | undefined>>;
  readonly timeoutMs: number;
  /** Called with a line of text before each call. */
  readonly onCall: (line: string) => void;
}

/** Makes at most 60 calls, by the contract with the corrections so far. */
export function createProber({ client, credentials, timeoutMs, onCall }: ProberOptions, contractNow: () => Contract) {
  const answers: (ReadAnswer & { readonly template: string })[] = [];
  let calls = 0;
  const headersFor = (names: Probe['credentials']): readonly string[] => {
    if (names !== 'wrong') return names.flatMap((name) => credentials[name] ?? []);
    return Object.values(credentials).flatMap((credential) =>
      credential === undefined ? [] : [credential[0], credential[1].replace(/\S+$/, 'not-a-credential')],
    );
  };

  /** Sends a read by its contracted method, or OPTIONS: a check never writes. */
  const probe = async (asked: Probe): Promise<ProbeAnswer> => {
    const { operation, isOptions = false, path, identifier = '', query = '', credentials: names, accept } = asked;
    const contract = contractNow();
    if (calls >= maxCalls) return { ...noAnswer, missing: 'the 60 calls were used up' };
    const allowed = contract['identifiers.allow'];
    if (identifier !== '' && !isPathIdentifier(identifier, allowed))
      return { ...noAnswer, missing: 'an identifier that may not stand in a path' };
    const customer = answers.findLast(
      (answer) => answer.operation === 'getCustomer' && answer.identifier === identifier,
    );
    const fields = readPathFields(contract, operation, path, customer?.body);
    if (!Object.values(fields).every((field) => isPathIdentifier(field, allowed)))
      return { ...noAnswer, missing: 'no customer has the field in its path' };
    calls += 1;
    const ofList = isList(operation) ? contractOfList(contract, operation) : contract;
    const template = contract['service.prefix'] + path;
    const toRequest = operationBasics(ofList, operation, template).readRequest;
    const request = toRequest(identifier === '' ? {} : { ...fields, id: identifier }, query);
    const method = isOptions ? 'OPTIONS' : request.method;
    const body = isOptions ? undefined : request.body;
    onCall(`${calls} ${method} ${template}`);
    const typed = accept === undefined ? contract : { ...contract, 'service.contentType': accept };
    const common = createCommonHeaders(typed)(body !== undefined);
    const send = () =>
      client.request({
        method,
        path: request.path,
        headers: [...common, ...headersFor(names)],
        body,
        timeoutMs,
        isWrite: false,
        lifetime: undefined,
      });
    let answer = await send();
    if (answer.kind === 'failure' && calls < maxCalls) {
      calls += 1;
      onCall(`${calls} ${method} ${template} (again: no answer)`);
      answer = await send();
    }
    if (answer.kind === 'failure') return { ...noAnswer, missing: 'no answer' };
    const allow = (answer.allow ?? '').toUpperCase().split(/[\s,]+/);
    const parsed = parseBody(answer.body);
    if (!isOptions && parsed !== undefined && asked.isSample !== false)
      answers.push({ operation, identifier, template, status: answer.status, body: parsed });
    const [mediaType] = (answer.contentType ?? '').toLowerCase().split(/\s*;/);
    const { status, link, totalCount } = answer;
    return { status, body: parsed, identifier, mediaType, allow, link, totalCount };
  };
  /** The answers to reads, as the service gave them at the paths that were found. */
  const samples = (): readonly ReadAnswer[] =>
    answers.filter(({ operation, template }) => template === pathTemplate(contractNow(), operation));
  return { probe, samples };
}

/**
 * The fields of the customer's record that a path names beside its id, by name, read from an answer with that record; an
 * empty text where the record has none.
 */
function readPathFields(
  contract: Contract,
  operation: OperationName,
  path: string,
  body: unknown,
): Readonly<Record<string, string>> {
  const record = createEnvelope(contract).record(body);
  const read = (field: string): string => {
    const added = extraFields(contract, 'Customer').find(({ name }) => name === field)?.at;
    const pointers = added ?? (contract[`customer.${field}` as RowId] as readonly string[]); // the contract allows no other
    return textOrNumber(compilePointers(pointers).read(record)) ?? '';
  };
  return Object.fromEntries(fieldsInPath(operation, path).map((field) => [field, read(field)]));
}
