import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ask, commands, createFolder, run, serve } from '../../contract-tools/vendor/import-walk.ts';
import { isMissing, record } from '../evidence.ts';

it('goes from a vendor’s file to the first answered query', async () => {
  const folder = await createFolder();
  const [importing = '', , writing = '', serving = ''] = commands;
  const marks = [performance.now()];
  const mark = (): number => marks.push(performance.now());
  expect(await run(importing, folder)).toMatchObject({ code: 0 });
  mark();
  expect(await run(writing, folder)).toMatchObject({ code: 0 });
  mark();
  expect(await ask(await serve(serving, folder))).toHaveProperty('data.customers.nodes.1.id');
  mark();
  const seconds = (from: number, to: number): string => (((marks[to] ?? 0) - (marks[from] ?? 0)) / 1000).toFixed(1);
  record(
    "From a vendor's file to an answer",
    `${seconds(0, 3)} s by the commands of docs/import.md: import ${seconds(0, 1)} s, init ${seconds(1, 2)} s, start and first query ${seconds(2, 3)} s`,
  );
});

it.skipIf(isMissing('docker-compose'))(
  'writes a compose file that Docker Compose reads without a complaint',
  async () => {
    const folder = await createFolder();
    await run(commands[2] ?? '', folder);
    expect(await run('docker-compose config --quiet', folder)).toEqual({ code: 0, output: '', errors: '' });
    expect((await run('docker-compose config', folder)).output).toContain(`${folder}/contract.yaml`);
    const file = join(folder, 'compose.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace('read_only', 'readonly'));
    expect(await run('docker-compose config --quiet', folder)).not.toMatchObject({ code: 0 });
  },
);
