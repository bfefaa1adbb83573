/**
 * The bank, settlement-graph, the orders and a router in front of both: `npm run example:federation` at the root. With `insert` the
 * router holds the demo merchant's credentials, otherwise the caller sends them.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { composeSupergraph } from './compose.js';

const here = fileURLToPath(new URL('.', import.meta.url));
const { PORT = '4003', SETTLEMENT_PORT = '4000', ORDERS_PORT = '4002' } = process.env;
const mode = process.argv[2] ?? 'forward';
const children = [];
const folder = await mkdtemp(join(tmpdir(), 'settlement-graph-example-'));

/** Starts a program and resolves with what it prints once it listens; it ends with this one. */
function start(args, environment, listening) {
  const child = spawn(process.execPath, args, {
    cwd: here,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  let output = '';
  return new Promise((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      output += chunk;
      const match = listening.exec(output);
      if (match !== null) resolve(match[1]);
    });
    child.once('exit', () => reject(new Error(`${args.join(' ')} ended:\n${output}`)));
  });
}

function stop(code) {
  for (const child of children) child.removeAllListeners('exit').kill();
  void rm(folder, { recursive: true, force: true }).then(() => process.exit(code));
}
process.once('SIGINT', () => stop(0)).once('SIGTERM', () => stop(0));

try {
  const settlement = await start(
    ['../../src/cli.ts', 'serve'],
    { PORT: SETTLEMENT_PORT, IDEMPOTENCY_STORE: 'sqlite::memory:', LOG_LEVEL: 'warn' },
    /GraphQL\s+(\S+)/,
  );
  const orders = await start(['orders.js'], { PORT: ORDERS_PORT }, /Orders\s+(\S+)/);
  const supergraph = join(folder, 'supergraph.graphql');
  await writeFile(
    supergraph,
    await composeSupergraph([
      { name: 'settlement', url: settlement },
      { name: 'orders', url: orders },
    ]),
  );
  const config = `hive-gateway.${mode}.js`;
  await start(
    ['node_modules/@graphql-hive/gateway/dist/bin.js', 'supergraph', supergraph, '--config-path', config].concat([
      '--host',
      '127.0.0.1',
      '--port',
      PORT,
    ]),
    { SETTLEMENT_BEARER: 'demo-token', SETTLEMENT_PRIVATE_KEY: 'demo-key' },
    /(Listening on)/,
  );
  const credentials = mode === 'insert' ? '' : ` -H 'authorization: Bearer demo-token' -H 'svcprivatekey: demo-key'`;
  const query = `{ order(id: "ord_0001") { item total { amount currency }
  customer { firstName balance { value { amount currency } } orders { id } } settledTo { name } } }`;
  console.log(`
  settlement-graph  ${settlement}
  orders            ${orders}
  router            http://127.0.0.1:${PORT}/graphql   (Hive Gateway, ${config})

  An order of theirs, its customer and bank of ours, and the customer's orders of theirs:

curl -s http://127.0.0.1:${PORT}/graphql -H 'content-type: application/json'${credentials} -d '${JSON.stringify({ query })}'
`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  stop(1);
}
