import { readFileSync } from 'node:fs';
import { parseOverrides } from '../../../src/contract/overrides-file.ts';

type Rows = Readonly<Record<string, unknown>>;

/** The hand-written contract of a dialect: every row in which it differs from the defaults. */
export function readPlanted(name: string) {
  const file = new URL(`${name}.yaml`, import.meta.url);
  return parseOverrides(readFileSync(file, 'utf8'), `${name}.yaml`);
}

const rowsOfWrites =
  /\.(?:body|wrapper|constants|emptySuccess|amountAs)$|^errors\.(?:refusalStatuses|duplicateCodes|fields|entryField|entryMessage)$/;
const addresses = /\.(?:method|path|idInBody|parametersIn)$|^service\.contentType$/;

/** The rows that only writes show, which a deployer has from the service's documentation. */
export function ofWrites(rows: Rows): Rows {
  return pick(rows, (id) => rowsOfWrites.test(id));
}

/** The same with the addresses of a service where no check guesses them. */
export function onPaper(rows: Rows): Rows {
  return pick(rows, (id) => rowsOfWrites.test(id) || addresses.test(id));
}

function pick(rows: Rows, isWanted: (id: string) => boolean): Rows {
  return Object.fromEntries(Object.entries(rows).filter(([id]) => isWanted(id)));
}

/** The ids of the rows that a written file leaves to a person. */
export function leftToDecide(file: string): readonly string[] {
  return [...file.matchAll(/^ {2}# (\S+): {2}# to decide/gm)].map(([, id = '']) => id);
}
