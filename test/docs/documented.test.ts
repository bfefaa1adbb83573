import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { z } from 'zod';
import { errorSentences } from '../../src/client/sentences.ts';
import { variables, variableSections } from '../../src/config/variables.ts';
import { demo, startExplained } from '../graphql/explained.ts';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

const names = Object.keys(variables.shape);

/** The row of a variable. A NUL character is no value of any closed set. */
function toRow([name, schema]: readonly [string, z.ZodType]): string {
  const value = JSON.stringify(schema.safeParse(undefined).data ?? '').replaceAll('"', '') || '–';
  const shown = value.replace(/^true$/, 'on').replace(/^false$/, 'off');
  const message = schema.safeParse('\0').error?.issues[0]?.message ?? 'text';
  const allowed = message
    .replaceAll(/^allowed: | \(E\w+\)$|a whole number from /g, '')
    .replace(/^1, true .*/, 'on, off');
  const file = names.includes(`${name}_FILE`) ? ` or \`${name}_FILE\`` : '';
  return `| \`${name}\`${file} | ${shown} | ${allowed} | ${schema.description} |\n`;
}

/** Run `npx vitest run --project tests test/docs/documented.test.ts -u` after a change of src/config/variables.ts. */
it('has a page of all variables as src/config decides them, as this test writes it with vitest’s -u', async () => {
  const sections = Object.entries(variableSections).map(([title, schemas]) => {
    const rows = Object.entries<z.ZodType>(schemas).filter(
      ([name, { description }]) => !name.endsWith('_FILE') && description !== 'Takes precedence',
    );
    return `\n## ${title}\n\n| variable | default | allowed | meaning |\n|---|---|---|---|\n${rows.map(toRow).join('')}`;
  });
  const [head = ''] = read('docs/configuration.md').split('\n## ');
  await expect(head + sections.join('')).toMatchFileSnapshot('../../docs/configuration.md');
});

it('says of every variable what it is for', () => {
  const silent = Object.entries<z.ZodType>(variables.shape).filter(
    ([, { description = '' }]) => description.length < 10,
  );
  expect(silent.map(([name]) => name).filter((name) => !name.endsWith('_FILE'))).toEqual([]);
});

it('README has the answer of the embedded bank to its first query', async () => {
  const [, document = '', answer = ''] = /^```graphql\n(.*?)^```\n\n```json\n(.*?)^```/ms.exec(read('README.md')) ?? [];
  const { ask } = await startExplained();
  expect(await ask(document, {}, demo)).toEqual(JSON.parse(answer));
});

it.each(Object.keys(errorSentences))('docs say what to do about %s, and where it comes from', (code) => {
  expect(read('docs/errors.md')).toMatch(new RegExp(`^\\| .*\`${code}\`.* \\|`, 'm'));
  expect(read('docs/request-lifecycle.md')).toContain(`\`${code}\``);
});
