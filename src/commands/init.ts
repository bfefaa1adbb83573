import { existsSync, writeFileSync } from 'node:fs';
import { createInterface, type Interface } from 'node:readline';
import type { z } from 'zod';
import { readConfig, type Config } from '../config/config.ts';
import * as rules from '../config/rules.ts';
import { toPrintable } from '../runtime/printable.ts';
import { printReport } from './command-line.ts';
import { writeOverrides } from '../contract-tools/report.ts';
import {
  isComplete,
  openVendorFile,
  printImport,
  type Import,
  type VendorFile,
} from '../contract-tools/import/import.ts';
import { contractCommand } from './contract.ts';
import { readCommandLine, type CommandLine } from './usage.ts';

/**
 * Rules for values of `.env.example`. Shells, Compose and Docker read that file, each with quotes and variables of its
 * own, so a value may have only characters that mean nothing to any of them.
 */
export const plainUrl = rules.upstream
  .transform((url) => (url === 'embedded' ? url : url.href.replace(/\/$/, '')))
  .refine((url) => /^https?:\/\/[\w.:[\]-]+(?:\/[\w./~%-]*)?$/.test(url), {
    error: 'allowed: an http or https address without credentials and query, of letters, digits and ./~%-_ only',
  });

export const plainHeader = rules.header.refine((name) => /^[\w.-]+$/.test(name), {
  error: 'allowed: the name of a header, of letters, digits and .-_ only',
});

export function toEnvironmentFile(url: string, header: string): string {
  return `UPSTREAM_URL=${url}\nUPSTREAM_CONTRACT=contract.yaml\nPRIVATE_KEY_HEADER=${header}\n`;
}

interface Answers {
  readonly url: string;
  readonly header: string;
  readonly unit: string;
  readonly currency: string;
}

const contractFile = 'contract.yaml';
const fileNames = [contractFile, '.env.example', 'compose.yaml'];

/**
 * `settlement-graph init`: asks for each value without an option, imports the vendor's file if there is one, writes
 * contract.yaml, .env.example and compose.yaml into the working directory, and checks the service where credentials are in
 * the environment. Without a file, contract.yaml holds what the check finds. Returns the exit code: 0 where the import is
 * complete and no check contradicts, else 1. Throws where it cannot run. No secret is asked for or written.
 */
export async function initCommand({ values }: CommandLine): Promise<number> {
  const existing = fileNames.filter((name) => existsSync(name));
  if (existing.length > 0 && values.force !== true)
    throw new Error(`${existing.join(', ')}: already there; use another folder, or --force to overwrite.`);
  const terminal = values.yes === true ? undefined : createInterface({ input: process.stdin });
  try {
    const { map: _map, ...given } = values;
    const ask = createAsk(given, terminal);
    const open = (file: string): Promise<VendorFile> | undefined => (file === '' ? undefined : openVendorFile(file));
    const vendorFile = await ask('file', 'OpenAPI file or Postman collection, or nothing', open, '');
    const imported = vendorFile && (await settleOperations(vendorFile, values.map ?? [], ask));
    if (imported !== undefined) printReport(printImport(imported, false));
    const { server, privateKeyHeader = 'SVCPRIVATEKEY' } = imported ?? {};
    const answers = {
      url: await ask('url', "The service's base URL", allow('url', plainUrl), server),
      header: await ask('header', "The private key's header", allow('header', plainHeader), privateKeyHeader),
      unit: await ask(
        'unit',
        'Money is sent in units (major: the number 500 means 500.00; minor: it means 5.00)',
        allow('unit', rules.oneOf(['major', 'minor'], 'major or minor')),
      ),
      currency: await ask('currency', 'Currency (ISO 4217)', allow('currency', rules.currency)),
    };
    const changes = { UPSTREAM_URL: answers.url, PRIVATE_KEY_HEADER: answers.header };
    const config = { ...readConfig(undefined, { ...changes, UPSTREAM_CONTRACT: '' }), contractFile };
    writeFiles(imported ?? { rows: {}, comments: [] }, answers);
    // Without a file, what the service answers is all that there is to write.
    const writing = imported === undefined ? ['--write', contractFile] : [];
    const code = imported === undefined || isComplete(imported) ? 0 : 1;
    return Math.max(code, await check(config, writing));
  } finally {
    terminal?.close();
  }
}

type Option = keyof Answers | 'file' | 'map';

/**
 * Creates the function that takes an option's value, or asks for it until `read` does not throw. Without a terminal, or
 * at the end of its input, the fault is thrown.
 */
function createAsk(values: Readonly<Partial<Record<Option, string>>>, terminal: Interface | undefined) {
  // An iterator, since questions would lose the lines of a pipe that come before them.
  const lines: AsyncIterator<string, undefined> | undefined = terminal?.[Symbol.asyncIterator]();
  return async <Value>(
    option: Option,
    question: string,
    read: (answer: string) => Value | Promise<Value>,
    proposal?: string,
  ): Promise<Value> => {
    for (;;) {
      const isAsked = values[option] === undefined && lines !== undefined;
      if (isAsked) process.stdout.write(`${question}${proposal ? ` [${proposal}]` : ''}: `);
      const line = isAsked ? (await lines.next()).value?.trim() : undefined;
      const answer = values[option] ?? (line || proposal);
      try {
        if (answer === undefined) throw new Error(`init needs --${option}.`);
        return await read(answer);
      } catch (error) {
        if (line === undefined || !(error instanceof Error)) throw error;
        process.stdout.write(`${toPrintable(error.message)}\n`);
      }
    }
  };
}

/** Creates the function that reads an answer by a rule, or throws an Error with what is allowed. */
function allow(option: Option, rule: z.ZodType<string, string>): (answer: string) => string {
  return (answer) => {
    const { data, error } = rule.safeParse(answer);
    if (data === undefined) throw new Error(`--${option}: ${error?.issues[0]?.message}.`);
    return data;
  };
}

/** Asks which endpoint of the file is an operation that has candidates and none for sure; nothing leaves it open. */
async function settleOperations(
  vendorFile: VendorFile,
  mappings: readonly string[],
  ask: ReturnType<typeof createAsk>,
) {
  const settled = [...mappings];
  for (const { operation, path, rivals } of (await vendorFile.import(mappings)).operations) {
    if (path !== undefined || rivals.length === 0) continue;
    const list = rivals.map((rival, index) => `  ${index + 1}  ${rival}\n`).join('');
    const read = async (answer: string): Promise<readonly string[]> => {
      const mapping = answer === '' ? [] : [`${operation}=${rivals[Number(answer) - 1] ?? answer}`];
      await vendorFile.import([...settled, ...mapping]);
      return mapping;
    };
    settled.push(...(await ask('map', `Which is ${operation}?\n${list}A number, METHOD /path, or nothing`, read, '')));
  }
  return vendorFile.import(settled);
}

function writeFiles(
  { rows, comments }: Pick<Import, 'rows' | 'comments'>,
  { url, header, unit, currency: code }: Answers,
): void {
  const decided = { ...rows, 'money.unit': unit, 'money.currency': code };
  const openComments = comments.filter((line) => !/^money\.(?:unit|currency):/.test(line));
  writeFileSync(contractFile, writeOverrides(decided, openComments, 'contract import'));
  writeFileSync('.env.example', toEnvironmentFile(url, header));
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
    stop_grace_period: 45s
`;

/** A check by the files just written; 0 without credentials. */
async function check(config: Config, writing: readonly string[]): Promise<number> {
  const { bearer, privateKey } = config.checkCredentials;
  if (bearer === undefined && privateKey === undefined) return 0;
  return contractCommand(readCommandLine(['contract', 'check', ...writing]), () => config);
}
