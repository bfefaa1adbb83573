import { expect, it, onTestFinished } from 'vitest';
import { startBank } from '../../src/bank/bank.ts';
import { embeddedContract } from '../../src/bank/contract.ts';
import { query, startGateway } from '../support/gateway.ts';

const both = { authorization: 'Bearer demo-token', svcprivatekey: 'demo-key' };

/** What the bank's journal says of every call: the operation and which credentials came with it. */
async function readJournal(url: string): Promise<readonly string[]> {
  const response = await fetch(`${url}/_bank/requests`);
  const { requests } = (await response.json()) as {
    readonly requests: readonly { readonly operation: string; readonly credentials: readonly string[] }[];
  };
  return requests.map(({ operation, credentials }) => `${operation}: ${credentials.join(' ')}`);
}

it('lets each credential reach the operations of its own group only, by the bank’s journal', async () => {
  const bank = await startBank({ port: 0, database: ':memory:' });
  onTestFinished(bank.close);
  const gateway = await startGateway({ upstream: bank.url, contract: embeddedContract });
  const { errors } = await query(
    gateway,
    `{
      settlementBanks(first: 1) { nodes { id } }
      settlementBank(id: "stb_0001") { name }
      customers(first: 1) { nodes { balance { value { amount } } transactions { totalCount } virtualAccounts { totalCount } } }
      customer(id: "cus_0002") { firstName }
    }`,
    { headers: both },
  );
  const created = await query(
    gateway,
    `mutation {
      updateSettlementBank(input: { id: "stb_0001", name: "Renamed" }) { settlementBank { name } }
      updateCustomer(input: { id: "cus_0001", firstName: "Renamed" }) { customer { firstName } }
      createVirtualAccount(input: { customerId: "cus_0001" }) { virtualAccount { id } }
      createOneTimeAccount(input: { customerId: "cus_0001", amount: "5.00" }) { oneTimeAccount { id } }
    }`,
    { headers: both },
  );
  expect([errors, created.errors]).toEqual([[], []]);
  expect([...(await readJournal(bank.url))].sort()).toEqual([
    'createCustomerOneTimeAccount: privateKey',
    'createCustomerVirtualAccount: privateKey',
    'getCustomer: privateKey',
    'getCustomerBalance: privateKey',
    'getSettlementBank: authorization',
    'listCustomerTransactions: privateKey',
    'listCustomerVirtualAccounts: privateKey',
    'listCustomers: privateKey',
    'listSettlementBanks: authorization',
    'updateCustomer: privateKey',
    'updateSettlementBank: authorization',
  ]);
});

it('makes exactly 51 calls for fifty customers with their balances, by the bank’s journal', async () => {
  const bank = await startBank({ port: 0, database: ':memory:' });
  onTestFinished(bank.close);
  const gateway = await startGateway({ upstream: bank.url, contract: embeddedContract });
  const { data } = await query(gateway, '{ customers(first: 50) { nodes { balance { value { amount } } } } }', {
    headers: both,
  });
  expect(data.customers.nodes).toHaveLength(50);
  expect(await readJournal(bank.url)).toHaveLength(51);
});
