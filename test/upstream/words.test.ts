import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { contractRows } from '../../src/contract/service-rows.ts';

const folder = new URL('../../src/upstream/decoding/', import.meta.url).pathname;
const files = globSync('*.ts', { cwd: folder }).map((file) => [file, readFileSync(folder + file, 'utf8')] as const);

/** Fields of records and parts of rows are names of ours, not of the service. */
const ownNames = new Set(Object.keys(contractRows).map((id) => id.slice(id.lastIndexOf('.') + 1)));

const listOfTexts = /\[\s*(?:'[^'\n]*',?\s*){2,}\]/g;
const alternatives = /[a-z]{2,}\\?[ \w]*\|\\?[ \w]*[a-z]{2,}/gi;

/** The words of a list or of a pattern that no row of the contract is named by. A name with a dot is a row's. */
const foreignWords = (text: string): readonly string[] =>
  [...text.matchAll(/'([^'\n]*)'/g)]
    .map(([, word = '']) => word)
    .filter((word) => !word.includes('.') && !ownNames.has(word));

it.each(files)('no list or pattern of words decides in %s: they are rows', (_, text) => {
  const code = text.replaceAll(/\/\*\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  const lists = [...code.matchAll(listOfTexts)].flatMap(([list]) => foreignWords(list));
  const patterns = [...code.matchAll(/(?<=[(,=:?&|] ?)\/(?:[^/\\\n]|\\.)+\/[a-z]*/g)].map(([pattern]) => pattern);
  expect([...lists, ...patterns.filter((pattern) => pattern.match(alternatives) !== null)]).toEqual([]);
});
