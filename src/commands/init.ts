import { existsSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import type { Config } from '../config/config.ts';
import { checkRow } from '../contract/contract.ts';
import { importFile, isComplete, printImport, toOverridesFile, type Import } from './contract-import/import.ts';
import { contractCommand } from './contract.ts';

type ReadConfig = (environment: undefined, changes: Readonly<Record<string, string>>) => Config;

interface Answers {
  readonly url: string;
  readonly header: string;
  readonly unit: string;
  readonly currency: string;
}

const contractFile = 'contract.yaml';
const fileNames = [contractFile, '.env.example', 'compose.yaml'];

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const options = { file: text, url: text, header: text, unit: text, currency: text, yes: flag, force: flag };

/**
 * `settlement-graph init`: asks for what no option says, imports the vendor's file if there is one, writes contract.yaml,
 * .env.example and compose.yaml into the working directory, and checks the service where credentials are in the
 * environment. Without a file, contract.yaml holds what the check finds. Returns the exit code: 0 where all thirteen
 * operations were found and no check contradicts, else 1. No secret is asked for or written.
 */
export async function initCommand(args: readonly string[], readConfig: ReadConfig): Promise<number> {
  const { values } = parseArgs({ args: [...args], options });
  const existing = fileNames.filter((name) => existsSync(name));
  if (existing.length > 0 && values.force !== true)
    throw new Error(`${existing.join(', ')}: there already; allowed: another folder, or --force to overwrite.`);
  const terminal = values.yes === true ? undefined : createInterface({ input: process.stdin });
  // An iterator, since questions would lose the lines of a pipe that come before them.
  const lines: AsyncIterator<string, undefined> | undefined = terminal?.[Symbol.asyncIterator]();
  const ask = async (option: keyof Answers | 'file', question: string, proposal?: string): Promise<string> => {
    const given = values[option];
    if (given !== undefined) return given;
    if (lines !== undefined) process.stdout.write(`${question}${proposal ? ` [${proposal}]` : ''}: `);
    const answer = (await lines?.next())?.value?.trim();
    const value = answer === undefined || answer === '' ? proposal : answer;
    if (value === undefined) throw new Error(`init needs --${option}.`);
    return value;
  };
  try {
    const file = await ask('file', 'OpenAPI file or Postman collection, or nothing', '');
    const imported = file === '' ? undefined : await importFile(file);
    if (imported !== undefined) process.stdout.write(printImport(imported));
    const answers = {
      url: toUrl(await ask('url', "The service's base URL", imported?.server)),
      header: await ask('header', "The private key's header", imported?.privateKeyHeader ?? 'SVCPRIVATEKEY'),
      unit: await ask('unit', 'Money is sent in units (major: the number 500 means 500.00; minor: it means 5.00)'),
      currency: await ask('currency', 'Currency (ISO 4217)'),
    };
    writeFiles(imported ?? { rows: {}, comments: [] }, answers);
    // Without a file, what the service answers is all that there is to write.
    const writing = imported === undefined ? ['--write', contractFile] : [];
    const code = imported === undefined || isComplete(imported) ? 0 : 1;
    return Math.max(code, await check(answers, readConfig, writing));
  } finally {
    terminal?.close();
  }
}

function toUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  if (isPlain && url.search === '' && url.hash === '') return url.href.replace(/\/$/, '');
  throw new Error('--url: allowed: an http or https address without credentials and query.');
}

function writeFiles(
  { rows, comments }: Pick<Import, 'rows' | 'comments'>,
  { url, header, unit, currency }: Answers,
): void {
  const decisions = { 'money.unit': unit, 'money.currency': currency };
  const faults = Object.entries(decisions).flatMap(([id, value]) =>
    checkRow(id, value).faults.map(({ allowed }) => `${id}: allowed: ${allowed}`),
  );
  if (!/^[A-Za-z][A-Za-z0-9-]{0,99}$/.test(header)) faults.push('--header: allowed: the name of a header');
  if (faults.length > 0) throw new Error(faults.join('\n'));
  const open = comments.filter((line) => !/^money\.(?:unit|currency):/.test(line));
  writeFileSync(contractFile, toOverridesFile(new Map(Object.entries({ ...rows, ...decisions })), open));
  writeFileSync('.env.example', `UPSTREAM_URL=${url}\nUPSTREAM_CONTRACT=contract.yaml\nPRIVATE_KEY_HEADER=${header}\n`);
  writeFileSync('compose.yaml', compose);
  const start = 'set -a; . ./.env.example; set +a; npx settlement-graph serve';
  process.stdout.write(`\nWritten: ${fileNames.join(', ')}. Start it by:\n  ${start}\n`);
}

/** The image is built of the repository's Dockerfile: `docker build -t settlement-graph .` */
const compose = `services:
  gateway:
    image: settlement-graph
    env_file: .env.example
    environment:
      UPSTREAM_CONTRACT: /etc/settlement-graph/contract.yaml
    volumes: ['./contract.yaml:/etc/settlement-graph/contract.yaml:ro']
    ports: ['127.0.0.1:4000:4000']
    read_only: true
`;

/** A check by the files just written; 0 without credentials. */
async function check({ url, header }: Answers, readConfig: ReadConfig, writing: readonly string[]): Promise<number> {
  const changes = { UPSTREAM_URL: url, UPSTREAM_CONTRACT: contractFile, PRIVATE_KEY_HEADER: header };
  const config = readConfig(undefined, changes);
  const { bearer, privateKey } = config.checkCredentials;
  if (bearer === undefined && privateKey === undefined) return 0;
  return contractCommand(['check', ...writing], () => config, {});
}
