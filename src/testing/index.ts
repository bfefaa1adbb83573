import { createDemoHeaders, startGateway as start } from '../commands/start-gateway.ts';
import { readConfig } from '../config/config.ts';
import { createLogger } from '../runtime/log.ts';
import type { startGateway as StartGateway, TestBank } from './types.ts';

const own = { HOST: '127.0.0.1', PORT: '0', ADMIN_PORT: '0', BANK_PORT: '0', IDEMPOTENCY_STORE: 'sqlite::memory:' };

/** As types.ts declares it. */
export const startGateway: typeof StartGateway = async ({ scenario, contract, upstreamUrl, environment } = {}) => {
  if (scenario !== undefined && upstreamUrl !== undefined)
    throw new Error('scenario: allowed: without upstreamUrl, since only the embedded bank has scenarios');
  const config = readConfig({
    ...own,
    BANK_SCENARIO: scenario,
    UPSTREAM_CONTRACT: contract,
    UPSTREAM_URL: upstreamUrl,
    ...environment,
  });
  const silent = createLogger('silent', { write: () => {} });
  const { server, embedded } = await start(config, silent);
  const close = (): Promise<void> => server.close().then(() => embedded?.close());
  return {
    url: server.url,
    graphqlUrl: `${server.url}/graphql`,
    bank: embedded && connectBank(embedded.url),
    headers: createDemoHeaders(config),
    close,
    [Symbol.asyncDispose]: close,
  };
};

/** The functions of a running bank's control addresses, `/_bank/…`. */
function connectBank(url: string): TestBank {
  const control = async (path: string, input?: object): Promise<unknown> => {
    const headers = { 'content-type': 'application/json' };
    const sent = input === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(input) };
    const answer = await fetch(`${url}/_bank/${path}`, sent);
    const body: unknown = answer.status === 204 ? undefined : await answer.json();
    if (!answer.ok) throw new Error(`The embedded bank refused ${path}: ${JSON.stringify(body)}`);
    return body;
  };
  return {
    url,
    deposit: async (accountNumber, amount) => void (await control('deposits', { accountNumber, amount })),
    requests: async () =>
      ((await control('requests')) as { readonly requests: Awaited<ReturnType<TestBank['requests']>> }).requests,
    fault: async (fault) => void (await control('faults', fault)),
    reset: async () => void (await control('reset', {})),
  };
}
