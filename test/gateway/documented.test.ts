import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { errorSentences } from '../../src/client/sentences.ts';
import { variableSchemas } from '../../src/config/config.ts';
import { demo, startExplained } from '../support/explained.ts';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

const names = Object.keys(variableSchemas);

/** The first three cells of a variable's row, as src/config decides them. A NUL character is no value of any closed set. */
function expectedCells(name: string): string {
  const schema = variableSchemas[name];
  const value = JSON.stringify(schema?.safeParse(undefined).data ?? '').replaceAll('"', '') || '–';
  const shown = value.replace(/^true$/, 'on').replace(/^false$/, 'off');
  const allowed = schema?.safeParse('\0').error?.issues[0]?.message.replace('allowed: ', '') ?? 'text';
  const file = names.includes(`${name}_FILE`) ? ` or \`${name}_FILE\`` : '';
  return `| \`${name}\`${file} | ${shown} | ${allowed}`;
}

it('has a page of all variables with the defaults and allowed values of src/config', () => {
  const rows = [...read('docs/configuration.md').matchAll(/^(\| `[^|]+\|[^|]+\|[^|]+) \| [^|]{10,} \|$/gm)];
  const expected = names.filter((name) => !name.endsWith('_FILE')).map(expectedCells);
  expect(new Set(rows.map(([, cells]) => cells))).toEqual(new Set(expected));
});

it('README has the answer of the embedded bank to its first query', async () => {
  const [, document = '', answer = ''] = /^```graphql\n(.*?)^```\n\n```json\n(.*?)^```/ms.exec(read('README.md')) ?? [];
  const { ask } = await startExplained();
  expect(await ask(document, {}, demo)).toEqual(JSON.parse(answer));
});

it.each(Object.keys(errorSentences))('README says what a client should do about %s', (code) => {
  expect(read('README.md')).toMatch(new RegExp(`^\\| .*\`${code}\`.* \\|`, 'm'));
});
