import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { allowedWords } from '../../src/contract/allowed-words.ts';
import { createContract } from '../../src/contract/contract.ts';
import { parseOverrides } from '../../src/contract/overrides-file.ts';
import type { Row } from '../../src/contract/row.ts';
import { contractRows } from '../../src/contract/service-rows.ts';
import { checkService, contradicted, startService, type Route, pages } from './service.ts';
import { query, startGateway } from '../support/gateway.ts';
import { success } from '../support/upstream/upstream.ts';

const page = readFileSync(new URL('../../docs/contract.md', import.meta.url), 'utf8');
const block = (language: string): string => new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(page)?.[1] ?? '';

/** The service of the story at the top of the page. */
const customer = { id: 'c1', firstName: 'Ada', last_name: 'Walker', status: 'active' };
const routes: readonly Route[] = [
  [/\/balance$/, () => success({ available: 250_050 })],
  pages(/\/customers\/(?:\?|$)/, [customer]),
  [/\/customers\/c1$/, () => success(customer)],
  pages(/(?:transactions|virtual-accounts|settlement-banks\/)(?:\?|$)/, []),
];

it('tells a story on docs/contract.md that is true: check, rows, query, answer', async () => {
  const { url } = await startService(...routes);
  const { overrides, faults } = parseOverrides(block('yaml'), 'contract.yaml');
  const check = await checkService(url);
  expect(contradicted(check)).toEqual(['customer.firstName']);
  for (const line of block('text').trimEnd().split('\n')) expect(check.printed + check.file).toContain(line);
  expect([faults, contradicted(await checkService(url, overrides))]).toEqual([[], []]);
  const gateway = await startGateway({ upstream: url, contract: overrides, undecided: true });
  const { data, errors } = await query(gateway, block('graphql'));
  expect([{ data }, errors]).toEqual([JSON.parse(block('json')), []]);
});

it('has an example of each sort of row, all of which a contract takes', () => {
  const examples = readFileSync(new URL('../../examples/contract/rows.yaml', import.meta.url), 'utf8');
  const { overrides, faults } = parseOverrides(examples, 'rows.yaml');
  expect(faults).toEqual([]);
  expect(Object.keys(overrides).length).toBeGreaterThan(90);
  expect(() => createContract(overrides)).not.toThrow();
});

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

function toLine([id, { kind, source, value, schema }]: readonly [string, Row<unknown>]): string {
  const allowed = allowedWords(schema, undefined);
  return `| \`${id}\` | ${kind} | \`${cell(JSON.stringify(value))}\` | ${cell(allowed)} | ${cell(source)} |\n`;
}

/** Run `npx vitest run --project tests test/contract-tools/contract-page.test.ts -u` after a change of the table. */
it('has every row of src/contract in docs/contract-rows.md, as this test writes it with vitest’s -u', async () => {
  const groups = Object.groupBy(Object.entries<Row<unknown>>(contractRows), ([id]) => id.replace(/\..*/, ''));
  const sections = Object.entries(groups).map(
    ([name, rows = []]) =>
      `\n## ${name}\n\n| row | kind | default | allowed | source or reason |\n|---|---|---|---|---|\n${rows.map(toLine).join('')}`,
  );
  const head = `# Which rows does the contract have?\n\nThe ones below, with their defaults. Generated from [src/contract](../src/contract) and compared with it by \`npm run check\`. How to write rows, with examples: [contract.md](contract.md).\n`;
  await expect(head + sections.join('')).toMatchFileSnapshot('../../docs/contract-rows.md');
});
