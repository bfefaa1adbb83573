import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { startBank, type EmbeddedBank } from '../../src/bank/bank.ts';
import { callUrl, dataAt, newCustomer, recordOf } from './client.ts';

const memory = { port: 0, database: ':memory:' };
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'embedded-bank-'));
});
afterEach(() => rm(folder, { recursive: true }));

const using = async <Value>(bank: EmbeddedBank, use: (url: string) => Promise<Value>): Promise<Value> => {
  try {
    return await use(bank.url);
  } finally {
    await bank.close();
  }
};

const readAll = async (url: string) => [
  await callUrl(`${url}/api/v1/customers/?per_page=100`, 'GET'),
  await callUrl(`${url}/api/v1/settlement-banks/`, 'GET'),
  await callUrl(`${url}/api/v1/customers/cus_0001/transactions?per_page=100`, 'GET'),
  await callUrl(`${url}/api/v1/customers/cus_0001/virtual-accounts`, 'GET'),
];

describe('startBank', () => {
  it('makes the folder of its file and finds there after a restart what was there before', async () => {
    const options = { port: 0, database: join(folder, 'deep', 'bank.sqlite') };
    const before = await using(await startBank(options), async (url) => {
      await callUrl(`${url}/api/v1/customers/`, 'POST', { body: newCustomer });
      return readAll(url);
    });
    const after = await using(await startBank(options), readAll);
    expect(after).toEqual(before);
    expect(before.map((reply) => dataAt(reply, 'data', 'total'))).toEqual([65, 7, 130, 2]);
  });

  it('names the variable, the path, the reason and what is allowed where its file cannot be opened', async () => {
    const fault = /^BANK_DATABASE: \S+ could not be opened \(unable to open database file\); allowed: .* a file that /;
    await expect(startBank({ port: 0, database: folder })).rejects.toThrow(fault);
  });

  it('keeps no identity number at rest', async () => {
    const database = join(folder, 'bank.sqlite');
    await using(await startBank({ port: 0, database }), async (url) => {
      const body = { ...newCustomer, bvn: '12345678901' };
      const created = await callUrl(`${url}/api/v1/customers/`, 'POST', { body });
      const path = `/api/v1/customers/${recordOf(created)['id']}`;
      await callUrl(`${url}${path}`, 'PATCH', { body: { nin: '98765432109', bvn: '12345678901' } });
    });
    const files = await Promise.all((await readdir(folder)).map((file) => readFile(join(folder, file), 'latin1')));
    expect(files.join('')).toContain(newCustomer.reference);
    expect(files.join('')).not.toMatch(/98765432109|12345678901/);
  });

  it('closes at once, with idle connections open and calls under way', async () => {
    const bank = await startBank(memory);
    const socket = connect(Number(new URL(bank.url).port), '127.0.0.1');
    const ended = new Promise((resolve) => socket.on('close', resolve));
    const headers = { 'content-type': 'application/json' };
    await callUrl(`${bank.url}/_bank/faults`, 'POST', { headers, body: { latencyMs: 60_000 } });
    const waiting = callUrl(`${bank.url}/api/v1/customers/`, 'GET').catch(String);
    const arrived = async () => dataAt(await callUrl(`${bank.url}/_bank/requests`, 'GET'), 'requests');
    await vi.waitFor(async () => expect(await arrived()).toHaveLength(1));
    await bank.close();
    await ended;
    expect(await waiting).toContain('fetch failed');
  });
});
