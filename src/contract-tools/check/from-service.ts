import { pathTemplate, type Contract, type CredentialName, type OperationName } from '../../contract/contract.ts';
import {
  createCommonHeaders,
  createCredentialWriter,
  parseBody,
  readRequest,
  walkList,
  type GivenAnswer,
  type HttpClient,
  type Use,
  type Walk,
} from '../../upstream/index.ts';
import { withMoney } from '../operation-kinds.ts';
import type { Sample } from '../sample.ts';

export const maxCalls = 30;

export interface ServiceOptions {
  readonly client: Pick<HttpClient, 'request'>;
  readonly credentials: Readonly<Record<CredentialName, readonly [header: string, value: string] | undefined>>;
  readonly timeoutMs: number;
  /** Called with a line of text before each call; it shows templates, no identifier. */
  readonly onCall: (line: string) => void;
}

/** A customer, with the fields that paths below it may name. */
export interface PathSource {
  readonly id: string;
}

/** One read of the service. */
export interface Question extends Use {
  /** The customer above, with the fields that the path names. */
  readonly parent?: PathSource | undefined;
  /** The status that the answer should have. */
  readonly meaning?: number;
  readonly hasWrongCredentials?: boolean;
}

/** Reads of a live service, made as the gateway makes them: at most 30 calls. A check never writes. */
export function createService({ client, credentials, timeoutMs, onCall }: ServiceOptions) {
  let calls = 0;
  const answers = new Map<string, GivenAnswer>();
  /** The answer to a request; undefined where none came, or no call is left. Equal requests are sent once. */
  const send = async (
    contract: Contract,
    operation: OperationName,
    { method, path, body }: ReturnType<typeof readRequest>,
    isWrong = false,
  ): Promise<GivenAnswer | undefined> => {
    const key = `${isWrong} ${method} ${path} ${body}`;
    const known = answers.get(key);
    if (known !== undefined) return known;
    for (let attempt = 1; attempt <= 2 && calls < maxCalls; attempt += 1) {
      calls += 1;
      onCall(`${calls} ${method} ${pathTemplate(contract, operation)}${attempt === 1 ? '' : ' (again: no answer)'}`);
      const toHeader = createCredentialWriter(contract);
      const ofCaller = contract[`${operation}.credentials`].flatMap((name) => {
        const [header, value] = credentials[name] ?? [];
        if (header === undefined || value === undefined) return [];
        return [header, toHeader(name, isWrong ? value.replace(/\S+$/, 'not-a-credential') : value)];
      });
      const headers = [...createCommonHeaders(contract)(body !== undefined), ...ofCaller];
      const call = { method, path, headers, body, timeoutMs, isWrite: false, lifetime: undefined };
      const answer = await client.request(call);
      if (answer.kind === 'failure') continue;
      const { status, headers: fields = {}, body: bytes } = answer;
      const texts = Object.entries(fields).map(([name, value]) => [name, String(value)]);
      const given = { status, headers: Object.fromEntries(texts) as GivenAnswer['headers'], body: bytes };
      answers.set(key, given);
      return given;
    }
    return undefined;
  };

  /** Asks once, and gives the answer as a sample. Throws GatewayError for an identifier that may not travel. */
  const ask = async (contract: Contract, question: Question): Promise<Sample | undefined> => {
    const { operation, id, parent, meaning, hasWrongCredentials = false } = question;
    const request = readRequest(withMoney(contract), question, parent);
    const given = await send(contract, operation, request, hasWrongCredentials);
    return given && { ...given, operation, id, meaning, body: parseBody(given.body), bytes: given.body };
  };

  /** Walks the first pages of a list as the gateway does. */
  const walk = (
    contract: Contract,
    use: Use & { readonly operation: `list${string}` & OperationName },
    size: number,
    maxPages: number,
    parent?: PathSource,
  ): Promise<Walk> =>
    walkList(withMoney(contract), use, size, maxPages, (request) => send(contract, use.operation, request), parent);

  return { ask, walk, callsLeft: (): number => maxCalls - calls };
}
