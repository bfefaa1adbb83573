import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Config } from '../config/config.ts';
import type { Contract } from '../contract/contract.ts';
import { prefixedField } from '../graphql/type-prefix.ts';
import { createLogger, describeError, type Logger } from '../runtime/log.ts';
import { startServer } from '../server.ts';

const host = '127.0.0.1';
const maxMs = 2_000;

/**
 * Answers one query before the gateway starts, so that its first request finds the code loaded and compiled. It does so by
 * a second gateway with made-up credentials, in front of a service on this machine that answers `{}`; nothing observes it,
 * and both are closed afterwards. A failure only costs the first request some milliseconds.
 */
export async function warmUp(config: Config, contract: Contract, log: Logger): Promise<void> {
  const service = createServer((_, response) => response.setHeader('content-type', 'application/json').end('{}'));
  await new Promise<void>((resolve) => void service.listen(0, host, resolve));
  const { port } = service.address() as AddressInfo; // a TCP server's address is one
  try {
    await answerOnce(isolated(config), contract, new URL(`http://${host}:${port}`));
  } catch (error) {
    log.warn(describeError(error), 'the query before the start failed: the first request may take longer');
  }
  service.close();
}

/** The settings of a gateway on a free port, without admin server, traces, store, proxy and files. */
function isolated(config: Config): Config {
  return {
    ...config,
    host,
    port: 0,
    adminPort: 0,
    reusePort: false,
    proxy: undefined,
    idempotencyStore: undefined,
    tracing: undefined,
    trustedDocumentsFile: undefined,
    trustedDocumentsOnly: false,
  };
}

async function answerOnce(config: Config, contract: Contract, upstream: URL): Promise<void> {
  const gateway = await startServer({ config, contract, upstream, log: createLogger('silent', { write: () => {} }) });
  try {
    await ask(gateway.url, config);
  } finally {
    await gateway.close();
  }
}

async function ask(url: string, config: Config): Promise<void> {
  const customer = prefixedField('customer', config.typePrefix);
  const query = `{ ${customer}(id: "0") { firstName balance { value { amount } } transactions { nodes { id } } } }`;
  const clientRequest = request(`${url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      [config.bearerHeaderIn]: 'Bearer warm-up',
      [config.privateKeyHeaderIn]: 'warm-up',
    },
    signal: AbortSignal.timeout(maxMs),
  });
  clientRequest.end(JSON.stringify({ query }));
  const [answer] = (await once(clientRequest, 'response')) as [IncomingMessage];
  await once(answer.resume(), 'end');
}
