/**
 * Starts everything: the gateway with its embedded bank, the backend-for-frontend, and the page (built, or with `--dev`
 * from its sources). Ctrl-C stops it all.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createServer, preview } from 'vite';
import { createBff } from './bff.ts';

const { PORT = '5173', BFF_PORT = '5174', GATEWAY_PORT = '4000', BANK_PORT = '4001' } = process.env;

/** The embedded bank's merchants, whose credentials are public. */
const credentials = {
  'Demo Merchant': { SVCPRIVATEKEY: 'demo-key', authorization: 'Bearer demo-token' },
  'Second Demo Merchant': { SVCPRIVATEKEY: 'demo-key-2', authorization: 'Bearer demo-token-2' },
};

const file = new URL('src/gql/persisted-documents.json', import.meta.url);
const documents = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>; // codegen has written it

const gatewayUrl = await startGateway();
const bff = createBff({ gatewayUrl, credentials, documents, isSecure: false });
const bffUrl = await bff.listen({ host: '127.0.0.1', port: Number(BFF_PORT) });
/** Demo only: the embedded bank's control face, where the page plays a payer. */
const demo = {
  target: `http://127.0.0.1:${BANK_PORT}`,
  changeOrigin: true,
  rewrite: (path: string) => path.replace('/demo', '/_bank'),
};
const proxy = { '/api': bffUrl, '/demo': demo };
const options = { host: '127.0.0.1', port: Number(PORT), strictPort: true, proxy };
if (process.argv.includes('--dev')) await (await createServer({ server: options })).listen();
else await preview({ preview: options });
console.log(`\n  Page  http://127.0.0.1:${PORT}/  (gateway ${gatewayUrl}, bank http://127.0.0.1:${BANK_PORT})\n`);

async function startGateway(): Promise<string> {
  const cli = fileURLToPath(new URL('dist/cli.js', import.meta.resolve('settlement-graph/package.json')));
  const gateway = spawn(process.execPath, [cli, 'serve'], {
    env: { ...process.env, PORT: GATEWAY_PORT, BANK_PORT, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  gateway.once('exit', (code) => process.exit(code ?? 0));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => gateway.kill(signal));
  let printed = '';
  for (;;) {
    const [chunk] = (await once(gateway.stdout, 'data')) as [Buffer];
    printed += chunk.toString();
    const url = /GraphQL\s+(http:\S+)\/graphql/.exec(printed)?.[1];
    if (url !== undefined) {
      gateway.stdout.pipe(process.stdout);
      return url;
    }
  }
}
