import { onTestFinished } from 'vitest';
import { startBank } from '../../src/bank/bank.ts';
import { embeddedContract } from '../../src/bank/contract.ts';
import { startGateway } from '../support/gateway.ts';

export interface ExplainedCall {
  readonly operation: string;
  readonly status?: number;
  readonly reason?: string;
  readonly startMs: number;
  readonly waitMs: number;
  readonly wireMs: number;
  readonly decodeMs: number;
  readonly tries: number;
  readonly fields: readonly string[];
  readonly uses: number;
  readonly outcome?: string;
  readonly evidence?: string;
  readonly key?: string;
  readonly request?: { readonly path: string; readonly body?: string };
}

interface ExplainedAnswer {
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read answers of every shape
  readonly data: any;
  readonly extensions?: {
    readonly calls: readonly ExplainedCall[];
    readonly cost?: { readonly estimated: number; readonly maximum: number };
  };
}

export const demo = { authorization: 'Bearer demo-token', svcprivatekey: 'demo-key' };
export const asking = { ...demo, 'x-explain': 'calls' };

/** The gateway before an embedded bank; both stop with the test. */
export async function startExplained(environment: Readonly<Record<string, string>> = {}) {
  const bank = await startBank({ port: 0, database: ':memory:' });
  onTestFinished(bank.close);
  const gateway = await startGateway({ upstream: bank.url, contract: embeddedContract, environment });
  const post = (url: string, body: unknown, headers: Readonly<Record<string, string>>) =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  return {
    gateway,
    bank,
    ask: async (
      document: string,
      variables: unknown = {},
      headers: Readonly<Record<string, string>> = asking,
    ): Promise<ExplainedAnswer> => {
      const answer = await post(`${gateway.url}/graphql`, { query: document, variables }, headers);
      return (await answer.json()) as ExplainedAnswer;
    },
    fault: (fault: unknown) => post(`${bank.url}/_bank/faults`, fault, {}),
    /** The operations that the bank was asked for since the last time. */
    journal: createJournalReader(bank.url),
  };
}

function createJournalReader(url: string): () => Promise<readonly string[]> {
  let read = 0;
  return async () => {
    const answer = await fetch(`${url}/_bank/requests`);
    const { requests } = (await answer.json()) as { readonly requests: readonly { readonly operation: string }[] };
    const fresh = requests.slice(read);
    read = requests.length;
    return fresh.map(({ operation }) => operation);
  };
}
