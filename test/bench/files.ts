import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { startBank } from '../../src/bank/bank.ts';
import { demoMerchants } from '../../src/bank/merchants.ts';

const customers = 64;
/** With the embedded bank's own, a few more than the page asked for. */
const settlementBanks = 100;
/** How many of them are created at a time. */
const atOnce = 50;

const [merchant] = demoMerchants;
if (merchant === undefined) throw new Error('the embedded bank knows nobody');

/** Credentials of the embedded bank's first merchant, as both services are sent them. */
export const credentials = { authorization: `Bearer ${merchant.bearer}`, svcprivatekey: merchant.privateKey };

/** The file that answers a target: which page it asks for, and of what size, is part of its name. */
export function fileOf(target: string): string {
  const { pathname, searchParams } = new URL(target, 'http://service');
  return `${pathname}.${searchParams.get('page') ?? ''}.${searchParams.get('per_page') ?? ''}.json`;
}

/** Writes what the embedded bank answers to every call that a question needs, one file each. */
export async function writeAnswers(folder: string): Promise<void> {
  const bank = await startBank({ port: 0, database: ':memory:' });
  await addSettlementBanks(bank.url);
  for (const target of targets()) {
    const answer = await fetch(bank.url + target, { headers: credentials });
    if (!answer.ok) throw new Error(`${target} answers ${answer.status}`);
    const file = join(folder, fileOf(target));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, await answer.text());
  }
  await bank.close();
}

function targets(): readonly string[] {
  const page = (size: number) => `?page=1&per_page=${size}`;
  const ids = Array.from({ length: customers }, (_, index) => `cus_${String(index + 1).padStart(4, '0')}`);
  const records = ids.flatMap((id) =>
    ['', '/balance', `/transactions${page(10)}`, `/virtual-accounts${page(5)}`].map((part) => `customers/${id}${part}`),
  );
  const lists = [50, 63].map((size) => `customers/${page(size)}`);
  return [...records, ...lists, `settlement-banks/${page(100)}`].map((path) => `/api/v1/${path}`);
}

async function addSettlementBanks(url: string): Promise<void> {
  for (let first = 0; first < settlementBanks; first += atOnce) {
    await Promise.all(Array.from({ length: atOnce }, (_, index) => addSettlementBank(url, first + index)));
  }
}

async function addSettlementBank(url: string, index: number): Promise<void> {
  const digits = String(index).padStart(10, '0');
  await fetch(`${url}/api/v1/settlement-banks/`, {
    method: 'POST',
    headers: { ...credentials, 'content-type': 'application/json' },
    body: JSON.stringify({
      name: `Benchmark ${index}`,
      account_no: `7${digits.slice(1)}`,
      account_name: 'Benchmark Merchant',
      bank_code: '044',
      bank_slug: 'example-bank',
    }),
  });
}
