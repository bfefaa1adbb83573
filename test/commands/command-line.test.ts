import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startBank } from '../../src/bank/bank.ts';
import { embeddedContract } from '../../src/bank/contract.ts';
import { contractCommand } from '../../src/commands/contract.ts';
import { main } from '../../src/commands/main.ts';
import { startGateway } from '../../src/commands/start-gateway.ts';
import { describeStart, findUndecided } from '../../src/commands/start-report.ts';
import { readCommandLine } from '../../src/commands/usage.ts';
import { readConfig } from '../../src/config/config.ts';
import { createContract } from '../../src/contract/contract.ts';
import { captureLog } from '../support/log.ts';
import { writeTemporary } from '../support/manifest.ts';
import { freeUrl } from '../support/ports.ts';
import { startCommand } from '../support/process.ts';
import { capture } from '../support/stdout.ts';
import { pageOf, startUpstream } from '../support/upstream/upstream.ts';

const root = new URL('../..', import.meta.url).pathname;
const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { readonly version: string };

/** Runs the command line to its end in this process: `[exit code, standard output, standard error]`. */
async function run(...args: readonly string[]) {
  const error = vi.spyOn(console, 'error').mockReturnValue().mockClear();
  onTestFinished(() => {
    error.mockRestore();
    process.exitCode = undefined;
  });
  const [, out] = await capture(() => main(args));
  return [process.exitCode, out, error.mock.calls.map(([line]) => `${String(line)}\n`).join('')] as const;
}

describe('the command line', () => {
  it.each([
    [['--help'], /serve .*\n.*bank .*\n.*schema .*\n[^]*explain FILE .*\n.*export FILE .*\n.*contract /],
    [
      ['contract', 'check', '-h'],
      /^settlement-graph contract check\n\n +contract check {2}compare [^]*--write FILE {2}writes /,
    ],
    [['help', 'schema'], /schema client {3}print .*\n[^]*Example: settlement-graph schema/],
    [['contract', 'test', '--help'], /Exit code 1: a case fails; [^]*Example: settlement-graph contract test/],
    [['version'], new RegExp(`^${version}\n$`)],
    [['serve', '--version'], new RegExp(`^${version}\n$`)],
  ])('%j is answered on standard output', async (args, expected) => {
    expect((await capture(() => main(args)))[1]).toMatch(expected);
  });

  it.each([
    [2, ['servr'], /^There is no command servr; did you mean serve\?/],
    [2, ['help', 'servr'], /^There is no command servr; did you mean serve\?/],
    [2, ['serve', '--scenario'], /'--scenario <value>' argument missing\n$/],
    [2, ['bank', '--scenario', 'nope'], /^--scenario: allowed: lost-answer, duplicate, .*\n$/],
    [2, ['contract', 'test', 'no-such.yaml'], /^no-such.yaml: cannot be read/],
    [2, ['contract', 'chek'], /^contract chek: allowed: contract check, import, try or test\.\n$/],
    [2, ['contract', '--write', 'check'], /^contract has no option --write, which contract check and contract import /],
    [2, ['schema', 'chek'], /^schema chek: allowed: schema client, check or release\.\n$/],
    [2, ['serve', '--port', 'x'], /^--port: allowed: a whole number from 0 to 65535\n$/],
    [2, ['contract', 'test'], /^contract test needs one FILE: settlement-graph contract --help\n$/],
    [2, ['explain', 'no\tfile\u0007\u202e'], /^no\tfile\\u0007\\u202e: cannot be read \(ENOENT\)/],
  ])('ends with exit code %i and a hint on standard error: %j', async (code, args, hint) => {
    expect(await run(...args)).toEqual([code, '', expect.stringMatching(hint)]);
  });

  it.each([
    ['bank', ['now'], /takes no now/],
    ['contract', ['--jsno'], /no option --jsno; did you mean --json\?/],
    ['contract', ['--write', 'x'], /^contract has no option --write, which contract check and contract import have: /],
    ['toString', [], /no command/],
  ])('refuses %s %j', (command, options, hint) => {
    expect(() => readCommandLine([command, ...options])).toThrow(hint);
  });

  it('takes options before and behind the words of a form', () => {
    const line = { form: 'contract check', file: '', values: { json: true, write: 'file' }, settings: {} };
    expect(readCommandLine(['contract', '--json', 'check', '--write=file'])).toEqual(line);
    const { settings } = readCommandLine(['serve', '--port', '8080', '--host', '::1', '--scenario', 'down']);
    expect(settings).toEqual({ PORT: '8080', HOST: '::1', BANK_SCENARIO: 'down' });
  });

  it.each(['', 'serve', 'bank', 'schema', 'explain', 'contract', 'contract try', 'init'])(
    'has help for “%s” under 100 columns, with a word on each option, and an example',
    async (words) => {
      const [, help] = await capture(() => main(['help', ...words.split(' ').filter(Boolean)]));
      const lines = help.split('\n');
      expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(100);
      expect(lines.filter((line) => /^ +--/.test(line) && !/^ +--[a-z]+ .*? {2}\w+ \w/.test(line))).toEqual([]);
      expect(help).toMatch(words === '' ? /help COMMAND/ : /\nExample: settlement-graph \w/);
    },
  );

  /** What a command prints on a terminal, which util-linux makes. */
  const onTerminal = (command: string) =>
    startCommand('script', ['-qec', `env -u CI -u FORCE_COLOR -u NO_COLOR TERM=xterm ${command}`, '/dev/null']);

  it('is coloured on a terminal, and neither under NO_COLOR nor where it is piped', async () => {
    const contract = 'node src/cli.ts contract';
    const commands = [contract, `NO_COLOR=1 ${contract}`, `${contract} | cat`];
    const printed = await Promise.all(commands.map((command) => onTerminal(command).printed(/rows of/)));
    expect(printed.map(({ input }) => input.includes('\u001B[33massumption\u001B['))).toEqual([true, false, false]);
    expect(printed.map(({ input }) => input.includes('\u001B'))).toEqual([true, false, false]);
  });

  it('logs for people on a terminal in development, JSON in production, and ends with its terminal', async () => {
    const production = 'NODE_ENV=production UPSTREAM_URL=https://service.example';
    const serve = 'IDEMPOTENCY_STORE=sqlite::memory: node src/cli.ts serve';
    expect(await onTerminal(serve).printed(/INFO.*: .*listening/)).not.toBeNull();
    const terminal = onTerminal(`sh -c 'echo pid $$; ${production} DRAIN_DELAY_MS=0 exec node src/cli.ts serve'`);
    const [, id] = await terminal.printed(/pid (\d+)[^]*"msg":"listening"/);
    terminal.signal('SIGKILL');
    await expect.poll(() => existsSync(`/proc/${id}/exe`)).toBe(false);
  });

  it('explains what it reads from standard input, and goes on where the reader of its output has left', async () => {
    const child = execFile(process.execPath, ['src/cli.ts', 'explain', '-', '--json'], { cwd: root });
    const deserted = execFile(process.execPath, ['src/cli.ts', 'contract', '--schema'], { cwd: root });
    const texts = { output: '', errors: '' };
    child.stdout?.on('data', (text: string) => (texts.output += text));
    deserted.stderr?.on('data', (text: string) => (texts.errors += text));
    child.stdin?.end('{ customer(id: "c1") { id } }');
    deserted.stdout?.destroy();
    const [, [code]] = await Promise.all([once(child, 'close'), once(deserted, 'close')]);
    expect(JSON.parse(texts.output)).toMatchObject({ calls: 1, waves: [1] });
    expect([code, texts.errors]).toEqual([0, '']);
  });

  it('ends with one line where its output cannot be written', async () => {
    const full = openSync('/dev/full', 'w');
    onTestFinished(() => closeSync(full));
    const child = spawn(process.execPath, ['src/cli.ts', 'schema'], { cwd: root, stdio: ['ignore', full, 'pipe'] });
    let errors = '';
    child.stderr?.on('data', (text: Buffer) => (errors += text.toString()));
    const [code] = (await once(child, 'close')) as [number];
    expect([code, errors]).toEqual([1, 'Standard output cannot be written (ENOSPC).\n']);
  });
});

it('contract check writes over no file of rows that it does not know, and keeps those of UPSTREAM_CONTRACT', async () => {
  const rows = 'version: 1\nrows:\n  money.unit: minor\n';
  const file = await writeTemporary('contract.yaml', rows);
  const upstream = await startUpstream(({ path }) => pageOf([], path));
  onTestFinished(upstream.close);
  const environment = { UPSTREAM_URL: upstream.url, CHECK_BEARER: 'demo-token' };
  const check = (more = {}) =>
    contractCommand(readCommandLine(['contract', 'check', '--write', file]), () =>
      readConfig({ ...environment, ...more }),
    );
  const allowed = 'already there; allowed: another file, or the one of UPSTREAM_CONTRACT.';
  await expect(check()).rejects.toThrow(`${file}: ${allowed}`);
  expect([readFileSync(file, 'utf8'), upstream.requests]).toEqual([rows, []]);
  await capture(() => check({ UPSTREAM_CONTRACT: file }));
  expect(readFileSync(file, 'utf8')).toContain('money.unit: minor');
});

it('contract check ends with the command that writes the file where it is contradicted', async () => {
  const bank = await startBank({ port: 0, database: ':memory:' });
  const file = await writeTemporary('contract.yaml', 'version: 1\nrows:\n  customer.firstName: [/given]\n');
  onTestFinished(() => bank.close().then(() => void vi.unstubAllEnvs()));
  vi.stubEnv('UPSTREAM_URL', bank.url);
  vi.stubEnv('UPSTREAM_CONTRACT', file);
  vi.stubEnv('CHECK_BEARER', 'demo-token');
  vi.stubEnv('CHECK_PRIVATE_KEY', 'demo-key');
  const [code, out, errors] = await run('contract', 'check');
  expect([code, out]).toEqual([1, expect.stringMatching(/customer\.firstName +contradicted/)]);
  expect(errors).toMatch(new RegExp(`settlement-graph contract check --write ${file}\n$`));
  expect((await run('contract', 'check', '--write', file))[2]).toBe(`Written: ${file}\n`);
}, 60_000);

it('serve refuses a scenario of the embedded bank before another service', async () => {
  vi.stubEnv('UPSTREAM_URL', 'http://127.0.0.1:9');
  onTestFinished(() => void vi.unstubAllEnvs());
  const fault = expect.stringMatching(/^--scenario: allowed: without UPSTREAM_URL/) as string;
  expect(await run('serve', '--scenario', 'down')).toEqual([2, '', fault]);
});

it.each([
  ['minor', 'XOF', '', 1],
  ['minor', 'XOF', '  money.minorDigits: 2', 0],
  ['minor', 'NGN', '', 0],
  ['major', 'XOF', '', 0],
])('serve warns where amounts may be hundredths of whole units: %s, %s, %j', async (unit, currency, rows, warnings) => {
  const { log, lines } = captureLog();
  const environment = {
    PORT: '0',
    ADMIN_PORT: '0',
    UPSTREAM_URL: await freeUrl(),
    UPSTREAM_MONEY_UNIT: unit,
    UPSTREAM_CURRENCY: currency,
    UPSTREAM_CONTRACT: await writeTemporary('contract.yaml', `version: 1\nrows:\n${rows}\n`),
    IDEMPOTENCY_STORE: 'sqlite::memory:',
  };
  const { server } = await startGateway(readConfig(environment), log);
  await server.close();
  expect(lines.filter((line) => line.includes('money.minorDigits'))).toHaveLength(warnings);
});

it('contract names the rows that the embedded bank decides otherwise, and none before another service', async () => {
  vi.stubEnv('UPSTREAM_MONEY_UNIT', 'minor');
  vi.stubEnv('UPSTREAM_CURRENCY', 'NGN');
  onTestFinished(() => void vi.unstubAllEnvs());
  const expected = 'Without effect at the embedded bank, which decides otherwise: money.unit\n';
  expect((await run('contract'))[2]).toBe(expected);
  vi.stubEnv('UPSTREAM_URL', 'https://service.example');
  expect((await run('contract'))[2]).toBe('');
});

describe('a stop', () => {
  it('is one with 0 at a signal that comes before serve is loaded', async () => {
    const command = startCommand('node', ['--import', './test/commands/signal-early.ts', 'src/cli.ts', 'serve']);
    expect(await command.exited).toBe(0);
  });

  it('is finished though npm passes on the SIGTERM that it got, and cut short by a SIGINT a second later', async () => {
    const command = startCommand('node', ['src/cli.ts', 'serve'], { environment: { DRAIN_DELAY_MS: '60000' } });
    await command.printed(/"msg":"listening"/);
    command.signalFirst('SIGTERM');
    await command.printed(/"msg":"stopping"/);
    command.signalFirst('SIGTERM');
    const again = setInterval(() => command.signalFirst('SIGINT'), 500);
    onTestFinished(() => clearInterval(again));
    expect(await command.exited).toBe(130);
  });
});

describe('the line of a start', () => {
  it('says version, protections, contract and store, and no secret', () => {
    const config = readConfig({
      ROUTER_SECRET: 'planted'.repeat(5),
      FINGERPRINT_SECRET: 'planted'.repeat(5),
      INTROSPECTION: '0',
      IDEMPOTENCY_STORE: 'rediss://user:planted@keys.example:6380/2?durability=accept',
    });
    expect(describeStart(config, 'sum')).toEqual({
      version,
      mode: 'development',
      protections: ['ROUTER_SECRET', 'FINGERPRINT_SECRET', 'INTROSPECTION=0'],
      contractSha256: 'sum',
      store: 'rediss://keys.example:6380/2?durability=accept',
    });
    const production = readConfig({ NODE_ENV: 'production', UPSTREAM_URL: 'https://service.example' });
    expect(describeStart(production, undefined)).toMatchObject({ mode: 'production', store: 'none' });
  });

  it.each([
    [embeddedContract, []],
    [{ 'money.unit': 'minor' }, ['money.currency']],
    [{ 'money.currency': 'NGN', 'transaction.unit': 'major' }, expect.arrayContaining(['money.unit', 'balance.unit'])],
  ])('is followed by the decisions that nobody has made: case %#', (overrides, undecided) => {
    expect(findUndecided(createContract(overrides))).toEqual(undecided);
  });

  it('is an error that names HOST where that is no address of this machine', async () => {
    const environment = { HOST: '1.2.3.4', IDEMPOTENCY_STORE: 'sqlite::memory:' };
    const command = startCommand('node', ['src/cli.ts', 'serve'], { environment });
    await command.printed(/^HOST: is no address of this machine \(E\w+\)/m);
    expect(await command.exited).toBe(1);
  });

  it('needs no service for the bank in production, nor the files that a gateway reads', async () => {
    const environment = { NODE_ENV: 'production', UPSTREAM_CONTRACT: '/none', TRUSTED_DOCUMENTS: '/none' };
    const command = startCommand('node', ['src/cli.ts', 'bank'], { environment });
    expect(await command.printed(/The embedded bank listens at/)).not.toBeNull();
  });
});
