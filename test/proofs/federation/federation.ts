import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freeUrl } from '../../support/ports.ts';
import { startCommand, type CommandOptions } from '../../support/process.ts';

const root = new URL('../../..', import.meta.url).pathname;

/** The package of Hive Gateway and the second subgraph, and that of the composers and Apollo's gateway. */
export const exampleFolder = join(root, 'examples/federation');
export const proofsFolder = join(root, 'test/federation');

export const composers = ['theguild', 'apollo', 'wundergraph'] as const;
export type Composer = (typeof composers)[number];

export interface Subgraph {
  readonly name: string;
  readonly url: string;
  readonly sdl: string;
}

export interface Composition {
  readonly errors: readonly string[];
  readonly hints: readonly string[];
  readonly supergraph?: string;
}

/** Composes in a process of its own, since a composer's `graphql` is not ours. */
export async function compose(composer: Composer, subgraphs: readonly Subgraph[]): Promise<Composition> {
  const child = spawn('node', ['compose.js', composer], { cwd: proofsFolder });
  child.stdin.end(JSON.stringify(subgraphs));
  const [printed, complaints] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (printed === '') throw new Error(`${composer} failed:\n${complaints}`);
  return JSON.parse(printed) as Composition; // compose.js wrote it
}

/** Hive's gateway runs twice: on its own runtime and on that of Hive's router, written in Rust, as Grafbase is. */
const allGateways = ['@apollo/gateway', '@graphql-hive/gateway', '@graphql-hive/router-runtime', 'grafbase'] as const;

/** Grafbase comes as a program for one platform; on others it is skipped, and said to be. */
const hasGrafbase = process.platform === 'linux' && process.arch === 'x64';
if (!hasGrafbase) process.stdout.write('skipped: Grafbase, whose program is for Linux on x64\n');
export const gateways = allGateways.filter((name) => hasGrafbase || name !== 'grafbase');

type GatewayName = (typeof allGateways)[number];

/** A gateway in front of settlement-graph and a neighbour, with the embedded bank behind. */
export interface Stack {
  readonly gateway: { readonly url: string };
  readonly settlement: { readonly url: string };
  readonly neighbour: { readonly url: string };
  readonly bank: string;
}

export interface StackOptions {
  readonly gateway: GatewayName;
  readonly atEnd: NonNullable<CommandOptions['atEnd']>;
  /** The neighbour's folder and program; by default the example's orders. */
  readonly neighbour?: readonly [folder: string, program: string];
  /** Settings of settlement-graph, of which the gateway gets ROUTER_SECRET. */
  readonly environment?: Readonly<Record<string, string>>;
}

export async function startStack({ gateway, atEnd, neighbour, environment = {} }: StackOptions): Promise<Stack> {
  const { ROUTER_SECRET: secret = '' } = environment;
  const [folder, program] = neighbour ?? [exampleFolder, 'orders.js'];
  const settlement = startCommand('node', ['src/cli.ts', 'serve'], {
    environment: { IDEMPOTENCY_STORE: 'sqlite::memory:', LOG_LEVEL: 'error', ...environment },
    atEnd,
  });
  const beside = startCommand('node', [program], { cwd: folder, atEnd });
  const [, settlementUrl = ''] = await settlement.printed(/GraphQL\s+(http:\S+)\/graphql/);
  const [, bank = ''] = await settlement.printed(/Bank\s+(http:\S+)/);
  const [, neighbourUrl = ''] = await beside.printed(/(http:\S+)\/graphql/);
  const subgraphs = await Promise.all(
    Object.entries({ settlement: settlementUrl, neighbour: neighbourUrl }).map(async ([name, url]) => ({
      name,
      url: `${url}/graphql`,
      sdl: await readToldSchema(url),
    })),
  );
  const { errors, supergraph = '' } = await compose('theguild', subgraphs);
  if (errors.length > 0) throw new Error(errors.join('\n'));
  return {
    gateway: {
      url: await startGateway[gateway]({ folder: await writeGraph(supergraph, subgraphs, atEnd), atEnd, secret }),
    },
    settlement: { url: settlementUrl },
    neighbour: { url: neighbourUrl },
    bank,
  };
}

/** The schema as `_service` tells it, which is what a router's tools ask for. */
export async function readToldSchema(url: string): Promise<string> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ service: _service { sdl } }' }),
  });
  const { data } = (await response.json()) as { readonly data: { readonly service: { readonly sdl: string } } };
  return data.service.sdl;
}

/** A folder with the supergraph, and the subgraphs' schemas for Grafbase, which composes them itself. */
async function writeGraph(
  supergraph: string,
  subgraphs: readonly Subgraph[],
  atEnd: StackOptions['atEnd'],
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'settlement-graph-supergraph-'));
  atEnd(() => void rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'supergraph.graphql'), supergraph);
  for (const { name, sdl } of subgraphs) await writeFile(join(folder, `${name}.graphql`), sdl);
  const settings = subgraphs.map(
    ({ name, url }) => `[subgraphs.${name}]\nurl = "${url}"\nschema_path = "${name}.graphql"\n`,
  );
  await writeFile(join(folder, 'grafbase.toml'), [grafbaseTraffic, ...settings, grafbaseHeaders].join('\n'));
  return folder;
}

/** Else equal queries with equal headers that are under way at once become one. */
const grafbaseTraffic = '[traffic_shaping]\ninflight_deduplication = false\n';

const grafbaseHeaders = `
[[subgraphs.settlement.headers]]
rule = "forward"
pattern = "^(authorization|svcprivatekey|idempotency-key|x-request-id|traceparent)$"

[[subgraphs.settlement.headers]]
rule = "insert"
name = "x-router-secret"
value = "{{ env.ROUTER_SECRET }}"
`;

interface GatewayStart {
  /** What `writeGraph` wrote. */
  readonly folder: string;
  readonly atEnd: StackOptions['atEnd'];
  readonly secret: string;
}

/** Each resolves with the gateway's address once it answers. */
const startGateway: Readonly<Record<GatewayName, (options: GatewayStart) => Promise<string>>> = {
  '@apollo/gateway': async ({ folder, atEnd, secret }) => {
    const environment = { SUPERGRAPH: join(folder, 'supergraph.graphql'), ROUTER_SECRET: secret };
    const gateway = startCommand('node', ['apollo-gateway.js'], { cwd: proofsFolder, environment, atEnd });
    const [, url = ''] = await gateway.printed(/Listening on (http:\S+)\//);
    return url;
  },
  '@graphql-hive/gateway': ({ folder, atEnd, secret }) =>
    startHive({ folder, atEnd, environment: { ROUTER_SECRET: secret } }),
  '@graphql-hive/router-runtime': ({ folder, atEnd, secret }) =>
    startHive({ folder, atEnd, options: ['--hive-router-runtime'], environment: { ROUTER_SECRET: secret } }),
  grafbase: async ({ folder, atEnd, secret }) => {
    const url = await freeUrl();
    const args = ['--home', folder, 'dev', '--config', 'grafbase.toml', '--listen-address', new URL(url).host];
    const environment = { ROUTER_SECRET: secret };
    const gateway = startCommand(grafbaseProgram, args, { cwd: folder, environment, atEnd });
    await gateway.printed(/Local:/);
    return url;
  },
};

const grafbaseProgram = join(proofsFolder, 'node_modules/@grafbase/cli-x86_64-unknown-linux-musl/grafbase');

interface HiveStart extends CommandOptions {
  /** Where `supergraph.graphql` is. */
  readonly folder: string;
  readonly options?: readonly string[];
}

/** Starts Hive Gateway with the example's configuration; resolves with its address once it answers. */
async function startHive({ folder, options = [], ...command }: HiveStart): Promise<string> {
  const url = await freeUrl();
  const { hostname, port } = new URL(url);
  const graph = ['supergraph', join(folder, 'supergraph.graphql'), '--config-path', 'hive-gateway.forward.js'];
  const args = [...graph, ...options, '--host', hostname, '--port', port];
  const gateway = startCommand('node_modules/.bin/hive-gateway', args, { cwd: exampleFolder, ...command });
  await gateway.printed(/Listening on/);
  // Without its package it would go on with the other runtime.
  if (/Could not load/.test(gateway.output())) throw new Error(gateway.output());
  return url;
}
