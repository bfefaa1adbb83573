import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { freeUrl } from './ports.ts';
import { startCommand, type CommandOptions } from './process.ts';

const run = promisify(execFile);
const root = new URL('../..', import.meta.url).pathname;

/** The package of Hive Gateway and the second subgraph, and that of the composers and Apollo's gateway. */
export const exampleFolder = join(root, 'examples/federation');
export const proofsFolder = join(root, 'test/federation');

/** `npm ci`, unless what is installed is what the lock file says. */
export async function install(folder: string): Promise<void> {
  const lock = await readFile(join(folder, 'package-lock.json'), 'utf8');
  const mark = join(folder, 'node_modules/.installed-lock.json');
  const installed = await readFile(mark, 'utf8').catch(() => undefined);
  if (installed === lock) return;
  await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder });
  await writeFile(mark, lock);
}

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

export const gateways = ['@apollo/gateway', '@graphql-hive/gateway'] as const;
type GatewayName = (typeof gateways)[number];

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
  /** Settings of settlement-graph. */
  readonly environment?: Readonly<Record<string, string>>;
}

export async function startStack({ gateway, atEnd, neighbour, environment }: StackOptions): Promise<Stack> {
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
    gateway: { url: await startGateway[gateway](await writeSupergraph(supergraph, atEnd), atEnd) },
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

async function writeSupergraph(supergraph: string, atEnd: StackOptions['atEnd']): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'settlement-graph-supergraph-'));
  atEnd(() => void rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'supergraph.graphql');
  await writeFile(file, supergraph);
  return file;
}

type StartGateway = (supergraph: string, atEnd: StackOptions['atEnd']) => Promise<string>;

/** Each resolves with the gateway's address once it answers. */
const startGateway: Readonly<Record<GatewayName, StartGateway>> = {
  '@apollo/gateway': async (supergraph, atEnd) => {
    const environment = { SUPERGRAPH: supergraph };
    const gateway = startCommand('node', ['apollo-gateway.js'], { cwd: proofsFolder, environment, atEnd });
    const [, url = ''] = await gateway.printed(/Listening on (http:\S+)\//);
    return url;
  },
  '@graphql-hive/gateway': async (supergraph, atEnd) => {
    const url = await freeUrl();
    const args = ['supergraph', supergraph, '--config-path', 'hive-gateway.forward.js', '--host', '127.0.0.1'];
    const gateway = startCommand('node_modules/.bin/hive-gateway', [...args, '--port', new URL(url).port], {
      cwd: exampleFolder,
      atEnd,
    });
    await gateway.printed(/Listening on/);
    return url;
  },
};
