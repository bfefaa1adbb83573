import type { OneTimeAccount, OneTimeAccountInput, VirtualAccount, VirtualAccountInput } from '../domain.ts';
import { GatewayError } from '../errors.ts';
import type { Contract } from './contract.ts';
import { createDecoders, recordDecoder } from './decode.ts';
import { currencyDigits, fromAmount } from './money.ts';
import { createList } from './pages.ts';
import { createRecordWrite } from './record.ts';

/** The operations on customers' virtual and one-time accounts. Paths are the contract's defaults. */
export function createAccountOperations(contract: Contract) {
  const { identifier, text, dateTime, optionalMoney } = createDecoders(contract);
  const fields = {
    id: identifier('account.id'),
    accountNumber: text('account.accountNumber'),
    accountName: text('account.accountName'),
    bankName: text('account.bankName'),
    bankCode: text('account.bankCode'),
    status: text('account.status'),
    createdAt: dateTime('account.createdAt'),
  };
  const decodeVirtualAccount = recordDecoder<VirtualAccount>('account.id', fields);
  const decodeOneTimeAccount = recordDecoder<OneTimeAccount>('account.id', {
    ...fields,
    amount: optionalMoney({ major: 'account.amount', minor: 'account.amountMinor', currency: 'account.currency' }),
    expiresAt: dateTime('account.expiresAt'),
  });

  /** `GET /customers/{id}/virtual-accounts` */
  const listCustomerVirtualAccounts = createList(contract, 'listCustomerVirtualAccounts', decodeVirtualAccount);

  /** `POST /customers/{id}/virtual-accounts` */
  const createCustomerVirtualAccount = createRecordWrite<VirtualAccountInput, VirtualAccount>(
    contract,
    'createCustomerVirtualAccount',
    {
      decode: decodeVirtualAccount,
      lookup: { field: 'customer.virtualAccounts', by: ['customerId'] },
      identifier: ({ customerId }) => customerId,
    },
  );

  /** `POST /customers/{id}/one-time-accounts` */
  const createCustomerOneTimeAccount = createRecordWrite<OneTimeAccountInput, OneTimeAccount>(
    contract,
    'createCustomerOneTimeAccount',
    {
      decode: decodeOneTimeAccount,
      lookup: null,
      identifier: ({ customerId }) => customerId,
      toWire: (input) => withWireAmount(contract, input),
    },
  );

  return { listCustomerVirtualAccounts, createCustomerVirtualAccount, createCustomerOneTimeAccount };
}

/** The amount as text in the service's unit. Without one there is nothing to decide. */
function withWireAmount(contract: Contract, input: OneTimeAccountInput): OneTimeAccountInput {
  if (input.amount === undefined || input.amount === null) return input;
  const operation = 'createCustomerOneTimeAccount';
  const unit = contract['money.unit'];
  if (unit === null) throw new GatewayError('CONTRACT_UNDECIDED', { operation, row: 'money.unit' });
  const currency = contract['money.currency'];
  if (currency === null) throw new GatewayError('CONTRACT_UNDECIDED', { operation, row: 'money.currency' });
  const places = currencyDigits(currency) ?? 0;
  const fraction = input.amount.split('.')[1] ?? '';
  if (fraction.length > places) {
    const message = `An amount in ${currency} has at most ${places} decimals.`;
    throw new GatewayError('BAD_USER_INPUT', { operation }, { message });
  }
  return { ...input, amount: fromAmount(input.amount, unit, places) };
}
