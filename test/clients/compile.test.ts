import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { record } from '../proofs/evidence.ts';

const run = promisify(execFile);
const here = import.meta.dirname;
const example = join(here, '../../examples/frontend');
const client = join(here, '../../dist/client');

/** What the compiler says of one file beside these tests, under its strictest settings; empty where it is content. */
async function compile(source: string, ...options: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(here, 'compiled-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'index.ts');
  await writeFile(file, source);
  const strict = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--noUncheckedIndexedAccess',
    '--exactOptionalPropertyTypes',
  ];
  const all = [...strict, '--skipLibCheck', 'false', '--target', 'es2022', '--types', '', ...options, file];
  const result = await run('npx', ['tsc', ...all], { cwd: here }).catch(
    (error: unknown) => error as { stdout: string },
  ); // that is what a failed command throws
  return result.stdout;
}

describe('strict TypeScript', () => {
  it('takes the example with its generated documents, and these tests', { timeout: 180_000 }, async () => {
    await run('npm', ['run', 'check'], { cwd: example });
    await run('npm', ['run', 'check'], { cwd: here });
    const documents = await readFile(join(example, 'src/gql/graphql.ts'), 'utf8');
    expect(documents).toContain('amount: string');
    expect(documents).not.toMatch(/:\s*any\b/);
  });

  it.each([
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ])('knows the codes and what they carry, as %s resolved by %s', async (module, moduleResolution) => {
    const options = ['--module', module, '--moduleResolution', moduleResolution];
    const use = (statement: string) =>
      compile(
        `import { findGatewayError, isGatewayError, typePolicies } from 'settlement-graph/client';
         export const error: unknown = typePolicies;
         ${statement}`,
        ...options,
      );
    const lookup = 'findGatewayError(error, "OUTCOME_UNKNOWN")?.extensions.lookup';
    expect(await use(`export const by: readonly string[] | undefined = ${lookup}?.by;`)).toBe('');
    expect(await use('export const is: boolean = isGatewayError(error, "OUTCOME_UNKOWN");')).toContain(
      'OUTCOME_UNKOWN',
    );
    expect(await use(`export const by: number | undefined = ${lookup}?.by;`)).toContain('number');
  });
});

it('takes the link of docs/frontends.md that sends hashes', async () => {
  const page = await readFile(join(here, '../../docs/frontends.md'), 'utf8');
  const link = /^\/\/ where the client is made\n(.*?)^```/ms.exec(page)?.[1] ?? '';
  expect(link).toContain('new PersistedQueryLink(');
  const imported = "import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';";
  const options = ['--module', 'esnext', '--moduleResolution', 'bundler', '--skipLibCheck', 'true'];
  expect(await compile(`${imported}\n${link}`, ...options)).toBe('');
});

/** What a bundler makes of one statement, minified: the text that a browser loads. */
async function bundle(statement: string): Promise<string> {
  const folder = await mkdtemp(join(example, 'bundled-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'entry.js'), statement);
  const { build } = (await import(createRequire(join(example, 'package.json')).resolve('vite'))) as {
    readonly build: (options: object) => Promise<unknown>;
  }; // the example's own
  const lib = { entry: join(folder, 'entry.js'), formats: ['es' as const], fileName: 'out' };
  await build({
    root: folder,
    configFile: false,
    logLevel: 'silent',
    build: { lib, minify: true, outDir: folder, emptyOutDir: false },
  });
  return readFile(join(folder, 'out.js'), 'utf8');
}

describe('what a browser loads of settlement-graph/client', () => {
  it('is small, imports nothing but itself, and leaves out what is not used', async () => {
    const files = (await readdir(client)).filter((name) => name.endsWith('.js'));
    const texts = await Promise.all(files.map((name) => readFile(join(client, name), 'utf8')));
    const imported = texts.flatMap((text) => [...text.matchAll(/\bfrom '([^']+)'/g)].map(([, name]) => name));
    // The hook of react.js, which the index does not load.
    expect(imported.filter((name) => !/^\.\/[\w.-]+\.js$/.test(name ?? ''))).toEqual(['react']);
    expect(imported.length).toBeGreaterThan(0);
    const whole = await bundle("export * from 'settlement-graph/client';");
    const money = await bundle("export { formatMoney } from 'settlement-graph/client';");
    record(
      'What settlement-graph/client weighs',
      `${whole.length} bytes minified, ${money.length} with formatMoney alone; no package imported`,
    );
    expect(whole.length).toBeLessThan(12_000);
    expect(money.length).toBeLessThan(500);
    expect(money).toContain('currency');
  });
});
