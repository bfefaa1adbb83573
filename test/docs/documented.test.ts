import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { expect, it } from 'vitest';
import type { z } from 'zod';
import { errorSentences } from '../../src/client/sentences.ts';
import { readConfig } from '../../src/config/config.ts';
import { variables, variableSections } from '../../src/config/variables.ts';
import { demo, startExplained } from '../graphql/explained.ts';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

const names = Object.keys(variables.shape);

/** The lines of a variable, commented out. A NUL character is no value of any closed set. */
function toLines([name, schema]: readonly [string, z.ZodType]): string {
  const value = JSON.stringify(schema.safeParse(undefined).data ?? '').replaceAll('"', '');
  const shown = value.replace(/^true$/, 'on').replace(/^false$/, 'off');
  const message = schema.safeParse('\0').error?.issues[0]?.message ?? 'text';
  const allowed = message
    .replaceAll(/^allowed: | \(E\w+\)$|a whole number from /g, '')
    .replace(/^1, true .*/, 'on, off');
  const file = names.includes(`${name}_FILE`) ? `\n# Or ${name}_FILE: a file with it.` : '';
  return `\n# ${schema.description?.replaceAll('`', '')}.\n# Allowed: ${allowed.replaceAll('`', '')}.${file}\n#${name}=${shown}\n`;
}

const variablesFile = new URL('../../docs/variables.env', import.meta.url).pathname;

/** Run `npx vitest run --project tests test/docs/documented.test.ts -u` after a change of src/config/variables.ts. */
it('has a file of all variables as src/config decides them, as this test writes it with vitest’s -u', async () => {
  const sections = Object.entries(variableSections).map(([title, schemas]) => {
    const shown = Object.entries<z.ZodType>(schemas).filter(
      ([name, { description }]) => !name.endsWith('_FILE') && description !== 'Takes precedence',
    );
    return `\n## ${title}\n${shown.map(toLines).join('')}`;
  });
  const head = '# Every variable with its default. An empty secret is a fault; pages are in docs/.\n';
  await expect(head + sections.join('')).toMatchFileSnapshot(variablesFile);
});

it('shows defaults that, once written out, change nothing', () => {
  const text = read('docs/variables.env').replaceAll(/^#(?=[A-Z_]+=.)/gm, '');
  expect(text).not.toMatch(/^# .{0,9}\.$/m);
  const isAdminPortGiven = true;
  expect(readConfig(parseEnv(text) as Record<string, string>)).toEqual({ ...readConfig({}), isAdminPortGiven });
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
