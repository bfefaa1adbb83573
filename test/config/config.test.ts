import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig, readSchemaSettings } from '../../src/config/config.ts';
import { temporaryFolder } from '../support/folder.ts';

const service = 'https://service.example/base';
const productionOf = (environment: Readonly<Record<string, string>> = {}) => ({
  NODE_ENV: 'production',
  UPSTREAM_URL: service,
  ...environment,
});

/** The lines of what `read` throws; the first one says what this is about. */
function faultsOf(read: () => unknown): readonly string[] {
  try {
    read();
  } catch (error) {
    return (error as Error).message.split('\n').slice(1);
  }
  return [];
}

const variablesOf = (faults: readonly string[]) => faults.map((fault) => fault.replace(/:.*/, ''));

/** The variables that are refused in this environment. */
const refusedIn = (environment: Readonly<Record<string, string>>) =>
  variablesOf(faultsOf(() => readConfig(environment))).toSorted();

describe('readConfig', () => {
  type Setting = keyof ReturnType<typeof readConfig>;
  type Given = Readonly<Record<string, string>>;
  const settings: readonly (readonly [Setting, byDefault: unknown, given: Given, taken: unknown])[] = [
    ['host', '127.0.0.1', { HOST: '::1' }, '::1'],
    ['upstream', 'embedded', { UPSTREAM_URL: 'http://127.0.0.1:9/base/' }, new URL('http://127.0.0.1:9/base/')],
    ['privateKeyHeader', 'SVCPRIVATEKEY', { PRIVATE_KEY_HEADER: 'X-KEY', UPSTREAM_URL: service }, 'X-KEY'],
    ['privateKeyHeaderIn', 'SVCPRIVATEKEY', { PRIVATE_KEY_HEADER: 'X-KEY', UPSTREAM_URL: service }, 'X-KEY'],
    ['bearerHeaderIn', 'Authorization', { BEARER_HEADER_IN: 'X-Token' }, 'X-Token'],
    ['requestTimeoutMs', 20_000, { REQUEST_TIMEOUT_MS: '10000' }, 10_000],
    [
      'allowedOrigins',
      undefined,
      { ALLOWED_ORIGINS: 'https://a.example, http://b' },
      ['https://a.example', 'http://b'],
    ],
    ['allowedHeaders', [], { ALLOWED_HEADERS: 'X-A, x-b' }, ['X-A', 'x-b']],
    ['introspection', true, { INTROSPECTION: '0' }, false],
    ['trustedDocumentsFile', undefined, { TRUSTED_DOCUMENTS: './package.json' }, './package.json'],
    ['trustedDocumentsOnly', false, { TRUSTED_DOCUMENTS: './package.json', TRUSTED_DOCUMENTS_ONLY: '1' }, true],
    ['routerSecret', undefined, { ROUTER_SECRET: 'x'.repeat(32) }, ['x'.repeat(32)]],
    [
      'routerSecret',
      undefined,
      { ROUTER_SECRET: `${'x'.repeat(32)},${'y'.repeat(32)}` },
      ['x'.repeat(32), 'y'.repeat(32)],
    ],
  ];

  it.each(settings)('has %s by default %j, and takes what is given', (setting, byDefault, given, taken) => {
    expect(readConfig({})[setting]).toEqual(byDefault);
    expect(readConfig(given)[setting]).toEqual(taken);
  });

  it('is frozen, and its store is a file in development', () => {
    const config = readConfig({});
    expect([config.idempotencyStore, Object.isFrozen(config)]).toEqual([
      { kind: 'sqlite', path: './data/idempotency.sqlite' },
      true,
    ]);
  });

  const secret = 'an obviously fake secret of text';

  it.each([
    ['sqlite:/var/keys.sqlite', { kind: 'sqlite', path: '/var/keys.sqlite' }],
    ['sqlite:keys.sqlite', { kind: 'sqlite', path: 'keys.sqlite' }],
    ['redis://keys.example', { kind: 'redis', url: 'redis://keys.example', acceptsLoss: false }],
    [
      'rediss://u:p@keys.example:6380/2',
      { kind: 'redis', url: 'rediss://u:p@keys.example:6380/2', acceptsLoss: false },
    ],
    ['redis://keys.example/1?durability=accept', { kind: 'redis', url: 'redis://keys.example/1', acceptsLoss: true }],
  ])('takes the store of keys %s', (store, expected) => {
    for (const environment of [{}, productionOf()]) {
      const given = { ...environment, IDEMPOTENCY_STORE: store, FINGERPRINT_SECRET: secret };
      expect(readConfig(given).idempotencyStore).toEqual(expected);
    }
  });

  it('takes a store in memory but in production, which has none and needs no secret unless one is named', () => {
    const store = { IDEMPOTENCY_STORE: 'sqlite::memory:', FINGERPRINT_SECRET: secret };
    expect(readConfig(store).idempotencyStore).toEqual({ kind: 'sqlite', path: ':memory:' });
    expect(refusedIn(productionOf(store))).toEqual(['IDEMPOTENCY_STORE']);
    expect(readConfig(productionOf())).toMatchObject({ idempotencyStore: undefined, fingerprintSecret: undefined });
    expect(readConfig({ IDEMPOTENCY_STORE: 'sqlite:keys.sqlite' }).fingerprintSecret).toBeUndefined();
  });

  it.each([
    ['with Redis', { IDEMPOTENCY_STORE: 'redis://keys.example' }],
    ['with Redis in production', productionOf({ IDEMPOTENCY_STORE: 'redis://keys.example' })],
    ['with a file in production', productionOf({ IDEMPOTENCY_STORE: 'sqlite:keys.sqlite' })],
  ])('needs a fingerprint secret %s', (_, environment) => {
    const faults = faultsOf(() => readConfig(environment));
    expect(variablesOf(faults)).toEqual(['FINGERPRINT_SECRET']);
    expect(faults[0]).toMatch(/32 bytes or more.*Redis.*production/);
    expect(faults[0]).not.toContain('keys.');
    expect(readConfig({ ...environment, FINGERPRINT_SECRET: secret }).fingerprintSecret).toBe(secret);
  });

  it.each(['ROUTER_SECRET', 'ROUTER_SECRET_FILE', 'FINGERPRINT_SECRET', 'FINGERPRINT_SECRET_FILE'])(
    'does not start with %s given but empty, nor with 31 bytes',
    async (variable) => {
      expect(refusedIn({ [variable]: '' })).toEqual([variable]);
      const file = join(await temporaryFolder(), 'secret');
      await writeFile(file, 'planted'.padEnd(31, '-'));
      const short = variable.endsWith('_FILE') ? file : 'planted'.padEnd(31, '-');
      const faults = faultsOf(() => readConfig({ [variable]: short }));
      expect(variablesOf(faults)).toEqual([variable]);
      expect(faults[0]).not.toContain('planted');
    },
  );

  it.each([
    ['ROUTER_SECRET', 'x'.repeat(32), 'routerSecret', ['x'.repeat(32)]],
    ['FINGERPRINT_SECRET', secret, 'fingerprintSecret', secret],
    ['IDEMPOTENCY_STORE', 'sqlite:keys.sqlite', 'idempotencyStore', { kind: 'sqlite', path: 'keys.sqlite' }],
    ['CHECK_BEARER', 'token', 'checkCredentials', { bearer: 'token', privateKey: undefined }],
    ['CHECK_PRIVATE_KEY', 'key', 'checkCredentials', { bearer: undefined, privateKey: 'key' }],
  ] as const)('takes %s from a file too, and not twice', async (variable, value, setting, expected) => {
    const file = join(await temporaryFolder(), 'value');
    for (const end of ['', '\n', '\r\n']) {
      await writeFile(file, value + end);
      expect(readConfig({ [`${variable}_FILE`]: file })[setting]).toEqual(expected);
    }
    const both = faultsOf(() => readConfig({ [`${variable}_FILE`]: file, [variable]: value }));
    expect(both).toEqual([`${variable}_FILE: must be left out where ${variable} is given`]);
    await writeFile(file, 'planted value');
    const [fault] = faultsOf(() => readConfig({ [`${variable}_FILE`]: file }));
    expect(fault).toMatch(new RegExp(`^${variable}_FILE: allowed: a readable file of `));
    expect(fault).not.toContain('planted');
  });

  it.each([
    ['ROUTR_SECRET', 'ROUTER_SECRET'],
    ['MAX_UPSTREAM_CALL_COUNT', 'MAX_UPSTREAM_CALLS'],
    ['ALLOW_HTTP', 'ALLOW_INSECURE_UPSTREAM'],
    ['router_secret', 'ROUTER_SECRET'],
    ['Http_Proxy', 'HTTP_PROXY'],
  ])('refuses the unknown variable %s, and names the likely one', (unknown, likely) => {
    for (const read of [readConfig, readSchemaSettings]) {
      const faults = faultsOf(() => read({ [unknown]: 'planted' }));
      expect(faults).toEqual([`${unknown}: is not a variable of settlement-graph; did you mean ${likely}?`]);
    }
  });

  it.each(['ROUTER_SECRE', 'router_secret', 'FINGERPRINT_SECRETS', 'ROUTER_SECRETFILE'])(
    'refuses the empty %s, since it is most likely a guard, and no other empty name that nobody knows',
    (unknown) => {
      expect(refusedIn({ [unknown]: '', ROUTER_SECRETS_OLD: '', LOG_LEVL: '', UPSTREAM_TIMEOUT: '' })).toEqual([
        unknown,
      ]);
    },
  );

  it('leaves alone what the platform, Node, OpenTelemetry and other programs are given', () => {
    const others = {
      BANK_SERVICE_HOST: '10.0.0.1',
      ROUTER_SERVICE_PORT_HTTP: '80',
      ROUTER_PORT: 'tcp://10.0.0.1:80',
      BANK_PORT: 'tcp://10.0.0.1:80',
      BANK_PORT_80_TCP_ADDR: '10.0.0.1',
      NODE_ENVS: 'x',
      LOG_FORMAT: 'json',
      HTTP_PROXY: 'http://proxy.example',
      all_proxy: 'http://proxy.example',
      TYPE_CHECKING: '1',
      host: 'db',
      node_modules: 'x',
      HOSTNAME: 'pod-1',
    };
    expect(readConfig(others)).toEqual(readConfig({}));
    expect(refusedIn({ ROUTER_PORT: '80' })).toEqual(['ROUTER_PORT']);
  });

  it('refuses a try that may take longer than its request', () => {
    const fault = 'UPSTREAM_TIMEOUT_MS';
    expect(refusedIn({ UPSTREAM_TIMEOUT_MS: '20001' })).toEqual([fault]);
    const equal = { UPSTREAM_TIMEOUT_MS: '500', REQUEST_TIMEOUT_MS: '500' };
    expect(readConfig(equal).upstreamTimeoutMs).toBe(500);
    expect(refusedIn({ ...equal, REQUEST_TIMEOUT_MS: '499' })).toEqual([fault]);
  });

  it.each(['https', 'http'])('takes the lower case of proxy variables first: %s', (scheme) => {
    const upper = { [`${scheme.toUpperCase()}_PROXY`]: 'upper.example', NO_PROXY: 'upper' };
    const lower = { [`${scheme}_proxy`]: 'lower.example', no_proxy: 'lower' };
    const { proxy } = readConfig({ UPSTREAM_URL: `${scheme}://service.example`, ...upper, ...lower });
    expect(proxy).toEqual({ url: 'http://lower.example/', except: 'lower' });
  });

  it('has introspection off, a drain and no embedded bank in production', () => {
    const config = readConfig(productionOf());
    expect(config).toMatchObject({ isProduction: true, introspection: false, drainDelayMs: 5_000 });
    expect(readConfig({}).drainDelayMs).toBe(0);
    expect(String(config.upstream)).toBe(service);
    expect(readConfig(productionOf({ INTROSPECTION: 'on' })).introspection).toBe(true);
  });

  it('counts an empty variable as absent', () => {
    expect(readConfig({ PORT: '', UPSTREAM_URL: '', UPSTREAM_CURRENCY: '' })).toEqual(readConfig({}));
  });

  const faulty: readonly [variable: string, values: readonly string[], allowed: RegExp][] = [
    ['PORT', ['70000', '-1', '4000.5', '0x10', '4e3', 'planted', ' '], /0 to 65535/],
    ['UPSTREAM_TIMEOUT_MS', ['0', '600001', '10s', 'planted'], /1 to 600000/],
    ['REQUEST_TIMEOUT_MS', ['0', 'planted'], /1 to 600000/],
    ['UPSTREAM_CONNECTIONS', ['0', '10001', 'planted'], /1 to 10000/],
    ['MAX_CALLS_PER_CALLER', ['0', '10001', '-1', 'planted'], /1 to 10000/],
    [
      'IDEMPOTENCY_STORE',
      `planted sqlite: SQLITE:planted file:planted sqlite:file:planted?mode=memory sqlite:file::memory:planted
      postgres://planted.example redis: redis:// http://planted.example redis://planted.example?durability=yes
      redis://planted.example?durability=accept&planted=1 redis://planted.example/#planted
      redis://planted.example/planted redis://planted.example/1/2 redis://:p%zz@planted.example`.split(/\s+/),
      /sqlite:PATH \(no file: URI\), or redis:\/\/.*durability=accept/,
    ],
    ['FINGERPRINT_SECRET_FILE', ['/planted/nowhere', '/'], /readable file of 32 bytes/],
    ['UPSTREAM_CONTRACT', ['/planted/nowhere', '/'], /: allowed: a readable file \(E(?:NOENT|ISDIR)\)$/],
    ['TRUSTED_DOCUMENTS', ['/planted/nowhere', '/'], /: allowed: a readable file \(E(?:NOENT|ISDIR)\)$/],
    ['UPSTREAM_MONEY_UNIT', ['kobo', 'MAJOR', 'planted'], /major or minor/],
    ['UPSTREAM_CURRENCY', ['ngn', 'NAIRA', '566', 'ABC', 'ZZZ', 'planted'], /ISO 4217/],
    ['UPSTREAM_URL', ['planted', 'ftp://planted.example', 'service.example/base', '//service.example'], /http\(s\)/],
    [
      'HTTP_PROXY',
      ['http://planted:50%@planted.example', 'planted%zz@planted.example', 'ftp://planted.example'],
      /%25/,
    ],
    ['PRIVATE_KEY_HEADER', ['planted key', 'planted:', 'plänted'], /header name/],
    ['ALLOWED_ORIGINS', ['*', 'planted', 'https://planted.example/', 'https://a.example,planted'], /https:\/\//],
    [
      'ALLOWED_ORIGINS',
      [
        'https://*',
        'https://*.planted',
        'https://*.*.planted.example',
        'https://a.*.planted.example',
        'https://a*.planted.example',
        'ftp://planted.example',
        'https://planted.example:443',
      ],
      /one label/,
    ],
    ['ALLOWED_HEADERS', ['*', 'X-Planted-Key', 'Cookie', 'X-Explain', 'planted:'], /no credential/],
    ['INTROSPECTION', ['yes', 'planted', '2'], /1, true or on/],
    ['TRUSTED_DOCUMENTS_ONLY', ['planted', '2'], /1, true or on/],
    [
      'ROUTER_SECRET',
      [
        'planted',
        'planted secret '.repeat(3),
        'plänted'.repeat(5),
        'x'.repeat(4097),
        `${'x'.repeat(32)},${'x'.repeat(31)}`,
        `${'x'.repeat(32)},`,
        Array(3).fill('x'.repeat(32)).join(),
      ],
      /visible ASCII.*32 bytes/,
    ],
    ['MAX_UPSTREAM_CALLS', ['0', '100001', '1e3', 'planted'], /1 to 100000/],
    ['TYPE_PREFIX', ['planted', '_P', 'Pay_', 'Zählung', '2Pay', `P${'x'.repeat(31)}`], /a capital letter/],
    ['ALLOW_INSECURE_UPSTREAM', ['planted'], /1, true or on/],
    ['LOG_LEVEL', ['planted', 'INFO'], /fatal, error, warn/],
  ];

  it.each(faulty)('refuses what %s cannot be and says what is allowed', (variable, values, allowed) => {
    for (const value of values) {
      const faults = faultsOf(() => readConfig({ [variable]: value }));
      expect(variablesOf(faults), `for ${value}`).toEqual([variable]);
      expect(faults[0]).toMatch(allowed);
    }
  });

  it('tells all faults together and repeats no value', () => {
    const planted = Object.fromEntries(faulty.map(([variable]) => [variable, `planted secret of ${variable}`]));
    const message = faultsOf(() => readConfig(planted)).join('\n');
    expect(variablesOf(message.split('\n')).toSorted()).toEqual(Object.keys(planted).toSorted());
    expect(message).not.toContain('planted');
  });

  it('refuses to trust only the documents of a manifest that it is not given', () => {
    expect(refusedIn({ TRUSTED_DOCUMENTS_ONLY: '1' })).toEqual(['TRUSTED_DOCUMENTS_ONLY']);
    expect(readConfig({ TRUSTED_DOCUMENTS_ONLY: '0' }).trustedDocumentsOnly).toBe(false);
  });

  it('needs UPSTREAM_URL in production, whatever else is wrong', () => {
    expect(refusedIn({ NODE_ENV: 'production' })).toEqual(['UPSTREAM_URL']);
    expect(refusedIn({ NODE_ENV: 'production', UPSTREAM_URL: '' })).toEqual(['UPSTREAM_URL']);
    expect(refusedIn({ NODE_ENV: 'production', PORT: 'x' })).toEqual(['PORT', 'UPSTREAM_URL']);
  });

  it.each(['http://service.example', 'http://10.0.0.1:8080', 'http://127.0.0.1.evil.example', 'http://[::2]/'])(
    'refuses the plain %s in production, unless ALLOW_INSECURE_UPSTREAM is set',
    (url) => {
      const environment = productionOf({ UPSTREAM_URL: url });
      const faults = faultsOf(() => readConfig(environment));
      expect(variablesOf(faults)).toEqual(['UPSTREAM_URL']);
      expect(faults[0]).toMatch(/https.*ALLOW_INSECURE_UPSTREAM/);
      expect(faults[0]).not.toContain(url);
      expect(readConfig({ ...environment, ALLOW_INSECURE_UPSTREAM: '1' }).upstream).toBeInstanceOf(URL);
      expect(readConfig({ UPSTREAM_URL: url }).upstream).toBeInstanceOf(URL);
    },
  );

  it('takes a plain loopback service in production', () => {
    for (const url of ['http://127.8.9.1/', 'http://localhost:4001/base', 'http://[::1]:4001'])
      expect(readConfig(productionOf({ UPSTREAM_URL: url })).upstream).toEqual(new URL(url));
  });

  it('refuses in production to send the credentials of a plain loopback service through a proxy', () => {
    const proxied = productionOf({ UPSTREAM_URL: 'http://127.0.0.1:4001', HTTP_PROXY: 'http://proxy.example' });
    expect(refusedIn(proxied)).toEqual(['HTTP_PROXY']);
    expect(refusedIn({ ...proxied, NO_PROXY: 'a.example, 127.0.0.2' })).toEqual(['HTTP_PROXY']);
    for (const NO_PROXY of ['*', '127.0.0.1', 'a.example, 127.0.0.1:4001'])
      expect(readConfig({ ...proxied, NO_PROXY }).proxy?.except).toBe(NO_PROXY);
    expect(readConfig({ ...proxied, ALLOW_INSECURE_UPSTREAM: '1' }).proxy?.url).toBe('http://proxy.example/');
    expect(readConfig({ ...proxied, UPSTREAM_URL: 'https://service.example' }).proxy).toBeUndefined();
  });

  it.each([
    'https://user:planted@service.example',
    'https://planted@service.example',
    'https://:planted@service.example',
    'https://service.example/?key=planted',
    'https://service.example/#planted',
  ])('refuses an UPSTREAM_URL that carries more than a place: %s', (url) => {
    const faults = faultsOf(() => readConfig({ UPSTREAM_URL: url }));
    expect(variablesOf(faults)).toEqual(['UPSTREAM_URL']);
    expect(faults[0]).not.toContain('planted');
  });

  const reserved =
    `Host cookie Set-Cookie Content-Type content-length Content-Encoding accept Accept-Encoding connection
    Transfer-Encoding TE upgrade origin Proxy-Authorization Sec-Fetch-Site User-Agent traceparent X-Request-Id
    Idempotency-Key X-Router-Secret X-Forwarded-For If-Match Max-Forwards Pragma HTTP2-Settings WWW-Authenticate
    __proto__ Forwarded`.split(/\s+/);

  it.each(['PRIVATE_KEY_HEADER', 'PRIVATE_KEY_HEADER_IN', 'BEARER_HEADER_IN'])(
    'refuses for %s every name that HTTP or the gateway has taken',
    (variable) => {
      for (const name of reserved) {
        const faults = faultsOf(() => readConfig({ [variable]: name }));
        const fault = `${variable}: allowed: a header name that neither HTTP nor the gateway uses`;
        expect(faults, `for ${name}`).toEqual([fault]);
      }
    },
  );

  it('refuses one name for both credentials', () => {
    expect(refusedIn({ PRIVATE_KEY_HEADER_IN: 'Authorization' })).toEqual(['PRIVATE_KEY_HEADER_IN']);
    expect(refusedIn({ BEARER_HEADER_IN: 'svcPrivateKey' })).toEqual(['PRIVATE_KEY_HEADER_IN']);
    expect(refusedIn({ PRIVATE_KEY_HEADER_IN: 'X-Merchant', ALLOWED_HEADERS: 'x-merchant' })).toEqual([
      'ALLOWED_HEADERS',
    ]);
    const sent = { PRIVATE_KEY_HEADER: 'Authorization', PRIVATE_KEY_HEADER_IN: 'x-key' };
    expect(refusedIn(sent)).toEqual(['PRIVATE_KEY_HEADER']);
  });

  it('sends the embedded bank the published header, under whatever name the key arrives', () => {
    const renamed = { PRIVATE_KEY_HEADER: 'x-key' };
    const headers = { privateKeyHeader: 'SVCPRIVATEKEY', privateKeyHeaderIn: 'x-key' };
    expect(readConfig(renamed)).toMatchObject(headers);
    expect(readConfig({ ...renamed, UPSTREAM_URL: 'embedded' })).toMatchObject(headers);
    expect(readConfig({ ...renamed, UPSTREAM_URL: service }).privateKeyHeader).toBe('x-key');
  });
});
