import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { variableNames } from '../../src/config/config.ts';
import { errorCodes } from '../../src/domain/errors.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  .replaceAll(/`(\w+)` or `…_FILE`/g, '`$1` or `$1_FILE`')
  .replaceAll(
    '`OTEL_*`',
    variableNames
      .filter((name) => name.startsWith('OTEL_'))
      .map((name) => `\`${name}\``)
      .join(),
  );

it.each(variableNames)('README lists the variable %s', (name) => {
  expect(readme).toMatch(new RegExp(`\`${name}(?:=\\d)?\``));
});

it.each(errorCodes)('README says what a client should do about %s', (code) => {
  expect(readme).toMatch(new RegExp(`^\\| .*\`${code}\`.* \\|`, 'm'));
});
