import { readFileSync } from 'node:fs';
import { createContract } from '../../../src/contract/contract.ts';
import { parseOverrides } from '../../../src/contract/overrides-file.ts';

type Rows = Readonly<Record<string, unknown>>;

/** The hand-written contract of a dialect: every row in which it differs from the defaults. */
export function readPlanted(name: string) {
  const file = new URL(`${name}.yaml`, import.meta.url);
  return parseOverrides(readFileSync(file, 'utf8'), `${name}.yaml`);
}

const rowsOfWrites =
  /\.(?:body|wrapper|constants|emptySuccess|amountAs|expiresAt)$|^errors\.(?:refusalStatuses|duplicateCodes|fields|entryField|entryMessage)$/;
const addresses = /\.(?:method|path|idInBody|parametersIn)$|^service\.contentType$/;
/** No check looks for filters: a service that ignores one answers as if there were none. */
const filters = /\.(?:search|type|created(?:From|Before)|range\w+)$/;
/** What dialect five names as no check guesses, and what its reads show of nobody. */
const unguessed = /^customer\.(?:reference|type)$|^account\.amount$|\.customerId$/;

/** The rows of a dialect that a deployer has from the service's documentation before its check. */
export function knownOf(name: string): Rows {
  const rows = readPlanted(name).overrides;
  return { ...onPaper(rows), ...pick(rows, (id) => filters.test(id) || (name === 'five' && unguessed.test(id))) };
}

/** The rows of its addresses, and those that only writes show. */
export function onPaper(rows: Rows): Rows {
  return pick(rows, (id) => rowsOfWrites.test(id) || addresses.test(id));
}

function pick(rows: Rows, isWanted: (id: string) => boolean): Rows {
  return Object.fromEntries(Object.entries(rows).filter(([id]) => isWanted(id)));
}

/** The rows of a file that a check or an import has written, with its decisions as the planted rows have them. */
export function decide(file: string, planted: Rows): Rows {
  const decisions = new Set(leftToDecide(file));
  const decided = Object.entries(createContract(planted)).filter(([id]) => decisions.has(id));
  return { ...parseOverrides(file, 'written.yaml').overrides, ...Object.fromEntries(decided) };
}

/** The ids of the rows that a written file leaves to a person. */
export function leftToDecide(file: string): readonly string[] {
  return [...file.matchAll(/^ {2}(?:# )?([\w.]+):\s+(?:undecided )?# to decide/gm)].map(([, id = '']) => id);
}
