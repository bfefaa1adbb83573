import { onTestFinished } from 'vitest';
import { startBank } from '../../src/bank/bank.ts';
import { embeddedContract } from '../../src/bank/contract.ts';
import { startGateway, storeInMemory } from '../support/gateway.ts';

/** What a backend-for-frontend would add for the first demo merchant. */
export const demoHeaders = { svcprivatekey: 'demo-key', authorization: 'Bearer demo-token' } as const;

export interface BankGateway {
  /** The gateway's GraphQL address. */
  readonly endpoint: string;
  readonly bankUrl: string;
  /** How often the service was asked for an operation. */
  /** The body of the answer to a request's body. */
  readonly ask: (body: object) => Promise<unknown>;
  readonly calls: (operation: string) => Promise<number>;
}

/** The real gateway over the embedded bank; both stop with the test. */
export async function startBankGateway(environment: Readonly<Record<string, string>> = {}): Promise<BankGateway> {
  const bank = await startBank({ port: 0, database: ':memory:' });
  onTestFinished(bank.close);
  const gateway = await startGateway({
    upstream: bank.url,
    contract: embeddedContract,
    environment: { ...storeInMemory, ...environment },
  });
  const endpoint = `${gateway.url}/graphql`;
  return {
    endpoint,
    bankUrl: bank.url,
    ask: async (body) => {
      const headers = { 'content-type': 'application/json', ...demoHeaders };
      const response = await fetch(endpoint, { method: 'POST', headers, body: JSON.stringify(body) });
      return response.json();
    },
    calls: (operation) => countCalls(bank.url, operation),
  };
}

/** How often the embedded bank at an address was asked for an operation. */
export async function countCalls(bankUrl: string, operation: string): Promise<number> {
  const response = await fetch(`${bankUrl}/_bank/requests`);
  const { requests } = (await response.json()) as { readonly requests: readonly { readonly operation: string }[] };
  return requests.filter((request) => request.operation === operation).length;
}

/** Does something behind the bank's interface: `deposits` or `faults`. */
export async function control(bankUrl: string, action: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${bankUrl}/_bank/${action}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`The bank answered ${response.status}: ${await response.text()}`);
}
