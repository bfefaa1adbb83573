import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startBank } from '../../src/bank/bank.ts';
import { embeddedContract } from '../../src/bank/contract.ts';
import { parseOverrides } from '../../src/contract/overrides-file.ts';
import { checkService, contradicted } from '../support/check.ts';
import { startDialectOne } from '../support/dialects/one.ts';
import { startDialectTwo } from '../support/dialects/two.ts';
import { startUpstream, success, type Reply } from '../support/upstream.ts';

const planted = (name: string): Readonly<Record<string, unknown>> => {
  const file = new URL(`../support/dialects/${name}.yaml`, import.meta.url);
  return parseOverrides(readFileSync(file, 'utf8'), name).overrides;
};

/** What no read can show: decisions, and when a one-time account expires. */
const unobservable = /^money\.|\.expiresAt$/;

const dialects = [
  ['one', startDialectOne],
  ['two', startDialectTwo],
] as const;

async function startEmbedded() {
  const bank = await startBank({ port: 0, database: ':memory:' });
  onTestFinished(bank.close);
  return bank;
}

describe('contract check', () => {
  it('contradicts nothing of the embedded bank under its own contract, and prints the counts on its last line', async () => {
    const { url } = await startEmbedded();
    const result = await checkService(url, embeddedContract);
    expect(contradicted(result)).toEqual([]);
    expect(result.rows.filter(({ state }) => state === 'confirmed').length).toBeGreaterThan(60);
    expect(result.printed.trimEnd().split('\n').at(-1)).toMatch(/^\d+ confirmed, 0 contradicted, \d+ not observable$/);
  });

  it.each(dialects)(
    'finds what dialect %s plants and nothing else, by at most 40 reads: its file leaves no contradiction',
    async (name, start) => {
      const service = await start();
      onTestFinished(service.close);
      const first = await checkService(service.url);
      const { overrides, faults } = parseOverrides(first.file, 'written.yaml');
      const second = await checkService(service.url, overrides);
      const expected = Object.keys(planted(name)).filter((id) => !unobservable.test(id));
      expect(expected.filter((id) => !contradicted(first).includes(id))).toEqual([]);
      expect(first.calls.length).toBeLessThanOrEqual(40);
      expect(first.calls.filter((line) => !/^\d+ (?:GET|OPTIONS) /.test(line))).toEqual([]);
      expect(faults).toEqual([]);
      expect(contradicted(second)).toEqual([]);
      expect(parseOverrides(second.file, 'again.yaml').overrides).toEqual(overrides);
    },
  );

  it('leaves money to a person: as comments, with what the amounts look like', async () => {
    const { url } = await startEmbedded();
    const { file } = await checkService(url);
    expect(file).toMatch(/^ {2}# money\.unit: .*major/m);
    expect(file).toMatch(/^ {2}# money\.currency: /m);
    expect(parseOverrides(file, 'written.yaml').overrides).not.toHaveProperty('money.unit');
  });

  it('prints and stores no value of a record', async () => {
    const record = {
      id: 'planted-id-7',
      first_name: 'PlantedName',
      email: 'planted@example.com',
      '09012345678': 'planted-key',
      nested: { secret_name: 'PlantedNested', 'planted@example.com': 1 },
      created_at: 'planted-time',
    };
    const upstream = await startUpstream(() => success({ data: [record], total: 1, ...record }));
    onTestFinished(upstream.close);
    const { printed, file, calls } = await checkService(upstream.url);
    const all = [printed, file, ...calls].join('\n');
    expect(all).not.toMatch(/planted|09012345678/i);
  });

  const hostile: readonly [name: string, reply: Reply][] = [
    ['HTML', { text: '<html></html>' }],
    ['nothing', { text: '' }],
    ['a cut socket', { cut: true }],
    ['no answer at all', { hang: true }],
    ['JSON of depth 10,000', { text: `{"data":${'['.repeat(10_000)}${']'.repeat(10_000)}}` }],
    ['a record of depth 10,000', { text: `{"data":[${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)},{"id":1}]}` }],
    ['a prototype', { text: '{"data":[{"__proto__":{"id":"x"},"constructor":1}]}' }],
    ['50,000 names', { json: Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`n${index}`, index])) }],
    ['5 MiB', { text: Buffer.alloc(5 * 1024 * 1024, 32) }],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:9/' } }],
    ['numbers beyond floats', { text: '{"data":[{"id":1e400}],"total":1e400}' }],
    [
      'an id and a cursor that cannot be sent',
      { text: '{"data":[{"id":"\\ud800"},{"id":"b"}],"meta":{"next_cursor":"\\ud800"}}' },
    ],
    ['a total of another type', { json: { data: [{ id: 1 }], total: {}, meta: { next_cursor: [] } } }],
  ];
  it.each(hostile)('survives %s', async (_, reply) => {
    const upstream = await startUpstream(() => reply);
    onTestFinished(upstream.close);
    const { rows, calls } = await checkService(upstream.url, {}, reply.hang === true ? 50 : undefined);
    expect(rows.length).toBeGreaterThan(100);
    expect(calls.length).toBeLessThanOrEqual(40);
    expect(({} as Record<string, unknown>)['id']).toBeUndefined();
  });
});
