import { expect, it, onTestFinished, vi } from 'vitest';
import { startGateway } from '../../src/testing/index.ts';
import type { GatewayOptions } from '../../src/testing/types.ts';
import { codes, query } from '../support/gateway.ts';

async function start(options?: GatewayOptions) {
  const gateway = await startGateway(options);
  onTestFinished(gateway.close);
  const { bank, headers } = gateway;
  const ask = (document: string) => query(gateway, document, { headers });
  if (bank === undefined) throw new Error('a gateway without a bank');
  return { gateway, ask, bank };
}

const account = '{ customer(id: "cus_0001") { virtualAccounts(first: 1) { nodes { accountNumber } } } }';
const balance = '{ customer(id: "cus_0001") { balance { value { amount } } } }';
const rename = 'mutation { updateCustomer(input: { id: "cus_0001", firstName: "Ada" }) { customer { firstName } } }';
const holding = (amount: string) => ({ customer: { balance: { value: { amount } } } });

it('pays into an account of its own bank, and of no other one', async () => {
  const [first, second] = [await start(), await start()];
  expect((await first.ask(account)).data).toEqual({
    customer: { virtualAccounts: { nodes: [{ accountNumber: '9000000001' }] } },
  });
  await first.bank.deposit('9000000001', '1500.00');
  expect((await first.ask(balance)).data).toEqual(holding('147863.63'));
  expect((await second.ask(balance)).data).toEqual(holding('146363.63'));
  await first.bank.reset();
  expect((await first.ask(balance)).data).toEqual(holding('146363.63'));
  expect((await first.bank.requests()).map(({ operation }) => operation)).toEqual([
    'getCustomer',
    'getCustomerBalance',
  ]);
});

it('loses an answer by a fault or a scenario, and the write is done', async () => {
  const [byFault, byScenario] = [await start(), await start({ scenario: 'lost-answer' })];
  await byFault.bank.fault({ operation: 'updateCustomer', cut: 'after' });
  for (const { ask } of [byFault, byScenario]) {
    expect(codes(await ask(rename))).toEqual(['OUTCOME_UNKNOWN']);
    expect((await ask('{ customer(id: "cus_0001") { firstName } }')).data).toEqual({ customer: { firstName: 'Ada' } });
  }
});

it('takes variables and a service from its options, and none from the process', async () => {
  vi.stubEnv('BEARER_HEADER_IN', 'x-other');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { ask, gateway } = await start({ environment: { TYPE_PREFIX: 'Pay', PRIVATE_KEY_HEADER_IN: 'x-key' } });
  expect(gateway.headers).toEqual({ Authorization: 'Bearer demo-token', 'x-key': 'demo-key' });
  expect((await ask('{ payCustomer(id: "none") { id } }')).data).toEqual({ payCustomer: null });
  const other = await startGateway({ upstreamUrl: 'http://127.0.0.1:1' });
  expect(other.bank).toBeUndefined();
  await other.close();
  await other.close();
});

it('refuses options and control calls that are not valid, with the reason', async () => {
  const { bank } = await start();
  await expect(bank.deposit('1', '1.00')).rejects.toThrow('There is no such account.');
  await expect(startGateway({ environment: { PROT: '0' } })).rejects.toThrow('did you mean PORT?');
  await expect(startGateway({ scenario: 'slow', upstreamUrl: 'http://127.0.0.1:1' })).rejects.toThrow('scenario:');
  await expect(startGateway({ contract: '/nowhere.yaml' })).rejects.toThrow('UPSTREAM_CONTRACT');
});
