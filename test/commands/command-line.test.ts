import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { embeddedContract } from '../../src/bank/contract.ts';
import { contractCommand } from '../../src/commands/contract.ts';
import { describeStart, findUndecided } from '../../src/commands/start-report.ts';
import { createContract } from '../../src/contract/contract.ts';
import { main } from '../../src/commands/main.ts';
import { findMisuse } from '../../src/commands/usage.ts';
import { readConfig } from '../../src/config/config.ts';
import { writeTemporary } from '../support/manifest.ts';
import { startCommand } from '../support/process.ts';
import { capture } from '../support/stdout.ts';
import { pageOf, startUpstream } from '../support/upstream.ts';

const root = new URL('../..', import.meta.url).pathname;
const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { readonly version: string };

/** Runs the command line to its end in this process: `[exit code, standard output, standard error]`. */
async function run(...args: readonly string[]) {
  const error = vi.spyOn(console, 'error').mockReturnValue();
  onTestFinished(() => {
    error.mockRestore();
    process.exitCode = undefined;
  });
  const [, out] = await capture(() => main(args));
  return [process.exitCode, out, error.mock.calls.map(([line]) => `${String(line)}\n`).join('')] as const;
}

describe('the command line', () => {
  it.each([
    [
      ['--help'],
      /serve .*\n.*bank .*\n.*schema .*\n.*schema client .*\n.*schema check .*\n.*schema release .*\n.*explain FILE .*\n.*contract /,
    ],
    [['contract', 'check', '-h'], /^settlement-graph contract .*\n.*contract check .*--write FILE/],
  ])('%j is answered on standard output', async (args, expected) => {
    const [, out] = await capture(() => main(args));
    expect(out).toMatch(expected);
  });

  it.each([[['--version']], [['serve', '--version']]])('%j is the version of package.json', async (args) => {
    expect(await capture(() => main(args))).toEqual([undefined, `${version}\n`]);
  });

  it('ends with exit code 2 and a hint where it is misused', async () => {
    const command = startCommand('node', ['src/cli.ts', 'servr']);
    expect(await command.exited).toBe(2);
    expect(command.output()).toMatch(/^There is no command servr; did you mean serve\?/);
  });

  it.each([
    [['serve', '--scenario'], /'--scenario <value>' argument missing\n$/],
    [['contract', 'test', 'no-such.yaml'], /^no-such.yaml: cannot be read/],
    [['contract', 'chek'], /^contract chek: allowed: contract check, import, try or test\.\n$/],
    [['contract', '--json', 'extra'], /^contract extra: allowed: /],
    [['contract', '--write', 'check'], /^contract : allowed: contract check, /],
    [
      ['explain', 'no\tfile\u0007\u202e\u2028\u{E0001}'],
      /^no\tfile\\u0007\\u202e\\u2028\\udb40\\udc01: cannot be read \(ENOENT\)/,
    ],
  ])('%j ends with exit code 2 and a hint on standard error', async (args, hint) => {
    expect(await run(...args)).toEqual([2, '', expect.stringMatching(hint)]);
  });

  it('explains what it reads from standard input', async () => {
    const child = execFile(process.execPath, ['src/cli.ts', 'explain', '-', '--json'], { cwd: root });
    let output = '';
    child.stdout?.on('data', (text: string) => (output += text));
    child.stdin?.end('{ customer(id: "c1") { id } }');
    await once(child, 'close');
    expect(JSON.parse(output)).toMatchObject({ calls: 1, waves: [1] });
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

  it('goes on where the reader of its output has left', async () => {
    const child = execFile(process.execPath, ['src/cli.ts', 'contract', '--schema'], { cwd: root });
    let errors = '';
    child.stderr?.on('data', (text: string) => (errors += text));
    child.stdout?.destroy();
    const [code] = (await once(child, 'close')) as [number];
    expect([code, errors]).toEqual([0, '']);
  });

  it.each([
    ['serve', ['--port'], /--port/],
    ['bank', ['now'], /takes no now/],
    ['contract', ['--jsno'], /no option --jsno; did you mean --json\?/],
    [
      'contract',
      ['--write', 'never-written.yaml'],
      /^contract has no option --write, which contract check and contract import have: settlement-graph contract --help$/,
    ],
    ['contract', ['check', '--schema'], /^contract check has no option --schema, which contract has: /],
    ['contract', ['try', 'check', '--write=x'], /^contract try has no option --write, /],
    ['toString', [], /no command/],
    ['--helpp', [], /no option --helpp; did you mean --help\?/],
  ])('refuses %s %j', (command, options, hint) => {
    expect(findMisuse(command, options)).toMatch(hint);
  });

  it.each([
    ['bank', ['--scenario', 'down']],
    ['explain', ['file', '--json']],
    ['contract', ['check', '--json', '--write=file']],
    ['contract', ['test', 'check', '--json']],
  ])('takes %s %j', (command, options) => {
    expect(findMisuse(command, options)).toBeUndefined();
  });
});

it.each(['serve', 'bank'])('%s names the option of a scenario that there is not', async (command) => {
  const [code, , err] = await run(command, '--scenario', 'nope');
  expect([code, err]).toEqual([1, expect.stringMatching(/^--scenario: allowed: lost-answer, duplicate, .*\n$/)]);
});

it('contract check writes over no file of rows that it does not know', async () => {
  const rows = 'version: 1\nrows:\n  money.unit: minor\n';
  const file = await writeTemporary('contract.yaml', rows);
  const upstream = await startUpstream(({ path }) => pageOf([], path));
  onTestFinished(upstream.close);
  const environment = { UPSTREAM_URL: upstream.url, CHECK_BEARER: 'demo-token' };
  const command = ['check', '--write', file];
  await expect(contractCommand(command, () => readConfig(environment))).rejects.toThrow(
    `${file}: already there; allowed: another file, or the one of UPSTREAM_CONTRACT.`,
  );
  expect([readFileSync(file, 'utf8'), upstream.requests]).toEqual([rows, []]);
  // The file of UPSTREAM_CONTRACT keeps its rows.
  await capture(() => contractCommand(command, () => readConfig({ ...environment, UPSTREAM_CONTRACT: file })));
  expect(readFileSync(file, 'utf8')).toContain('money.unit: minor');
  expect(upstream.requests.length).toBeGreaterThan(0);
});

it('serve refuses a scenario of the embedded bank before another service', async () => {
  vi.stubEnv('UPSTREAM_URL', 'http://127.0.0.1:9');
  onTestFinished(() => void vi.unstubAllEnvs());
  const [code, , err] = await run('serve', '--scenario', 'down');
  expect([code, err]).toEqual([1, expect.stringMatching(/^--scenario: allowed: without UPSTREAM_URL/)]);
});

it.each([
  ['serve', 0],
  ['bank', 0],
  ['contract', null],
])('%s ends with %j at a signal that comes before it is loaded', async (name, code) => {
  const command = startCommand('node', ['--import', './test/support/signal-early.ts', 'src/cli.ts', name]);
  expect(await command.exited).toBe(code);
});

it('serve stops at SIGINT without a drain: after Ctrl+C nobody waits for other clients', async () => {
  const command = startCommand('node', ['src/cli.ts', 'serve'], { environment: { DRAIN_DELAY_MS: '60000' } });
  await command.printed(/"msg":"listening"/);
  command.signalFirst('SIGINT');
  await command.printed(/SIGINT.*"msg":"stopping"/);
  expect(await command.exited).toBe(0);
});

it('serve ends with 0, and says what failed, where its start fails after a signal', async () => {
  const redis = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void redis.close());
  await once(redis, 'listening');
  const { port } = redis.address() as AddressInfo; // a TCP server's address is one
  const environment = { IDEMPOTENCY_STORE: `redis://127.0.0.1:${port}`, FINGERPRINT_SECRET: 'x'.repeat(32) };
  const command = startCommand('node', ['src/cli.ts', 'serve'], { environment });
  const [socket] = (await once(redis, 'connection')) as [Socket];
  await once(socket, 'data');
  command.signalFirst('SIGTERM');
  await command.printed(/"msg":"stopping"/);
  socket.write('-ERR planted\r\n'.repeat(9));
  expect(await command.exited).toBe(0);
  expect(command.output()).toContain('IDEMPOTENCY_STORE: Redis could not be reached');
  expect(command.output()).not.toContain('stop failed');
});

it.each([
  ['finishes its stop where a terminal that closes sends SIGHUP twice', 'SIGHUP', 'SIGHUP', 1_100],
  ['finishes its stop where a supervisor sends SIGTERM and npm passes it on', 'SIGTERM', 'SIGTERM', 0],
] as const)('%s', async (_, first, second, waitMs) => {
  const environment = { DRAIN_DELAY_MS: String(waitMs + 400) };
  const command = startCommand('node', ['src/cli.ts', 'serve'], { environment });
  await command.printed(/"msg":"listening"/);
  command.signalFirst(first);
  await command.printed(new RegExp(`${first}.*"msg":"stopping"`));
  await delay(waitMs);
  command.signalFirst(second);
  expect(await command.exited).toBe(0);
});

it('ends at once at a SIGINT that comes a second after a SIGTERM', async () => {
  const command = startCommand('node', ['src/cli.ts', 'serve'], { environment: { DRAIN_DELAY_MS: '60000' } });
  await command.printed(/"msg":"listening"/);
  command.signalFirst('SIGTERM');
  await command.printed(/"msg":"stopping"/);
  const again = setInterval(() => command.signalFirst('SIGINT'), 100);
  onTestFinished(() => clearInterval(again));
  expect(await command.exited).toBe(130);
});

it.each([
  [{}, 'Without effect at the embedded bank, which decides otherwise: money.unit\n'],
  [{ UPSTREAM_URL: 'https://service.example' }, ''],
])('contract names the rows that the embedded bank decides otherwise: case %#', async (environment, expected) => {
  const decisions = { UPSTREAM_MONEY_UNIT: 'minor', UPSTREAM_CURRENCY: 'NGN', ...environment };
  for (const [name, value] of Object.entries(decisions)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await run('contract')).toEqual([0, expect.any(String), expected]);
});

describe('the line of a start', () => {
  it('says version, protections, contract and store, and no secret', async () => {
    const report = describeStart(
      readConfig({
        ROUTER_SECRET: 'planted'.repeat(5),
        FINGERPRINT_SECRET: 'planted'.repeat(5),
        INTROSPECTION: '0',
        IDEMPOTENCY_STORE: 'rediss://user:planted@keys.example:6380/2?durability=accept',
      }),
      'sum',
    );
    expect(report).toEqual({
      version,
      mode: 'development',
      protections: ['ROUTER_SECRET', 'FINGERPRINT_SECRET', 'INTROSPECTION=0'],
      contractSha256: 'sum',
      store: 'rediss://keys.example:6380/2?durability=accept',
    });
  });

  it('has the SHA-256 of a contract that can be read only once', async () => {
    const sum = createHash('sha256').update('version: 1\n').digest('hex');
    const script = 'exec env UPSTREAM_CONTRACT=<(echo version: 1) node src/cli.ts serve';
    const command = startCommand('bash', ['-c', script]);
    expect(await command.printed(new RegExp(`"contractSha256":"${sum}".*"msg":"listening"`))).not.toBeNull();
  });

  it.each([
    [embeddedContract, []],
    [{ 'money.unit': 'minor', 'money.currency': 'NGN' }, []],
    [{ 'money.unit': 'minor' }, ['money.currency']],
    [{ 'money.currency': 'NGN', 'transaction.unit': 'major' }, expect.arrayContaining(['money.unit', 'balance.unit'])],
  ])('is followed by the decisions that nobody has made: case %#', (overrides, undecided) => {
    expect(findUndecided(createContract(overrides))).toEqual(undecided);
  });

  it('comes with a warning of rows that the embedded bank decides otherwise, and of no others', async () => {
    const rows = 'rows:\n  money.unit: minor\n  listCustomers.search: search\n  customer.id: [/data/id, /id]\n';
    const file = await writeTemporary('contract.yaml', `version: 1\n${rows}`);
    const environment = { UPSTREAM_CONTRACT: file, UPSTREAM_CURRENCY: 'NGN' };
    const command = startCommand('node', ['src/cli.ts', 'serve'], { environment });
    await command.printed(/"msg":"listening"/);
    expect(command.output()).toMatch(/"rows":\["money\.unit"\],"msg":"rows without effect/);
  });

  it.each(['1.2.3.4', 'no-such-host.invalid'])('is an error that names HOST where that is %s', async (host) => {
    const environment = { HOST: host, IDEMPOTENCY_STORE: 'sqlite::memory:' };
    const command = startCommand('node', ['src/cli.ts', 'serve'], { environment });
    await command.printed(/^HOST: is no address of this machine \(E\w+\)/m);
    expect(await command.exited).toBe(1);
  });

  it('needs no service for the bank in production, nor the files that a gateway reads', async () => {
    const environment = { NODE_ENV: 'production', UPSTREAM_CONTRACT: '/none', TRUSTED_DOCUMENTS: '/none' };
    const command = startCommand('node', ['src/cli.ts', 'bank'], { environment });
    expect(await command.printed(/The embedded bank listens at/)).not.toBeNull();
  });

  it.each([
    ['development', {}, 'sqlite:./data/idempotency.sqlite'],
    ['production', { NODE_ENV: 'production', UPSTREAM_URL: 'https://service.example' }, 'none'],
  ])('says what stands where little is set: %s', (mode, environment, store) => {
    expect(describeStart(readConfig(environment), undefined)).toMatchObject({ mode, contractSha256: undefined, store });
  });
});
