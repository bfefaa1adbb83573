import { describe, expect, it } from 'vitest';
import { codes, query, startScripted, type GatewayOptions } from '../support/gateway.ts';
import { rawJson } from '../support/paging.ts';
import { success } from '../support/upstream.ts';

type Options = Omit<GatewayOptions, 'upstream'>;

const minor = { 'money.unit': 'minor' };

/** A gateway over one customer whose balance and transactions are these JSON texts. */
const startMoney = ({ balance = '{}', transactions = '[]' }, options: Options = {}) =>
  startScripted(({ path }) => {
    const texts = new Map([
      ['balance', balance],
      ['transactions?page=1&per_page=20', transactions],
    ]);
    const data = texts.get(path.split('/').at(-1) ?? '') ?? '{"id":"c1","first_name":"Ada"}';
    return rawJson(`{"success":true,"message":"OK","data":${data}}`);
  }, options);

const readBalance = async (balance: string, options: Options = {}) => {
  const { gateway, upstream } = await startMoney({ balance }, options);
  const answer = await query(gateway, '{ customer(id: "c1") { firstName balance { value { amount currency } } } }');
  return { ...answer, customer: answer.data.customer, paths: upstream.requests.map(({ path }) => path) };
};

/** The balances of as many customers, each from one of these JSON texts, and the errors of each. */
const readBalances = async (texts: readonly string[]) => {
  const { gateway } = await startScripted(({ path }) => {
    const text = texts[Number(/\/customers\/(\d+)\/balance$/.exec(path)?.[1])];
    return rawJson(`{"success":true,"data":${text}}`);
  });
  const document = `query ($of: [_Any!]!) { of: _entities(representations: $of) {
    ... on Customer { id balance { value { amount currency } } }
  } }`;
  const of = texts.map((_, index) => ({ __typename: 'Customer', id: `${index}` }));
  const { data, errors } = await query(gateway, document, { variables: { of } });
  return texts.map((_, index) => ({
    value: data.of[index].balance?.value,
    errors: errors.filter(({ path }) => path?.[1] === index).map(({ extensions }) => extensions),
  }));
};

const readTransactions = async (transactions: string, options: Options = {}) => {
  const { gateway } = await startMoney({ transactions }, options);
  const selection = 'nodes { id direction amount { amount currency } }';
  const answer = await query(gateway, `{ customer(id: "c1") { transactions { ${selection} } } }`);
  return { errors: answer.errors, nodes: answer.data.customer.transactions.nodes };
};

describe('a balance', () => {
  it('is exact from texts and numbers', async () => {
    const amounts: readonly [balance: string, amount: string][] = [
      ['"500.00"', '500.00'],
      ['"500.5"', '500.50'],
      ['500.5', '500.50'],
      ['5e2', '500.00'],
      ['-0', '0.00'],
      ['"-0.00"', '0.00'],
      ['"-0.01"', '-0.01'],
      ['"000500.00"', '500.00'],
      ['-9007199254740993.01', '-9007199254740993.01'],
      ['12345678901234567890', '12345678901234567890.00'],
    ];
    const balances = await readBalances(amounts.map(([balance]) => `{"balance":${balance}}`));
    expect(balances).toEqual(amounts.map(([, amount]) => ({ value: { amount, currency: 'NGN' }, errors: [] })));
  });

  const usdFirst = '[{"currency":"USD","amount":"7.00"},{"currency":"NGN","amount":"500.00"}]';
  const noAmounts = `"500.001" 0.125 1234567890123.1234 1e-7 1e21 1e999 "1,000.00" "₦500" "" "5e2" "${'9'.repeat(31)}"
    true [500] {"amount":500} "1.5","currency":"JPY"`.split(/\s+/);
  /** Each with the row that it contradicts, and where. */
  const faulty: readonly (readonly [balance: string, row: string, jsonPath: string])[] = [
    ...noAmounts.map((amount) => [`{"balance":${amount}}`, 'balance.value', '/data/balance'] as const),
    ['{"available_balance":"1.001"}', 'balance.value', '/data/available_balance'],
    ['{"note":"none"}', 'balance.value', '/data'],
    ['{"balance":null}', 'balance.value', '/data'],
    ['{"balance":"5.00","currency":566}', 'balance.currency', '/data/currency'],
    ['{"balance":"5.00","currency":"ZZZ"}', 'balance.currency', '/data/currency'],
    ['{"balance":"5.00","currency":""}', 'balance.currency', '/data/currency'],
    ['{"balance":"5.00","balanceKobo":501}', 'balance.valueMinor', '/data/balanceKobo'],
    ['{"balance":"5.00","balanceKobo":5}', 'balance.valueMinor', '/data/balanceKobo'],
    ['{"balance":"5.00","balance_kobo":-500}', 'balance.valueMinor', '/data/balance_kobo'],
    ['{"balance":"none","balanceKobo":500}', 'balance.value', '/data/balance'],
    ['{"balance":500,"balanceKobo":500}', 'balance.valueMinor', '/data/balanceKobo'],
    ['{"balanceKobo":"500.5"}', 'balance.valueMinor', '/data/balanceKobo'],
    // No row says by which entry.
    [usdFirst, 'balance.value', '/data'],
    ['[{"balance":"5.00"}]', 'balance.value', '/data'],
    [`{"balance":${usdFirst}}`, 'balance.value', '/data/balance'],
    ['{"balance":{"NGN":"5.00"}}', 'balance.value', '/data/balance'],
    ...['{"code":"USD"}', '840', '"840"', '"USD"', '"USDT"', '"US Dollar"', '"$"'].map(
      (other) => [`{"balance":"7.00","currency_code":${other}}`, 'balance.currency', '/data/currency'] as const,
    ),
    ...['Currency', 'ccy', 'currencyIso', 'iso_currency'].map(
      (name) => [`{"balance":"7.00","${name}":"USD"}`, 'balance.currency', '/data/currency'] as const,
    ),
  ];

  it('in the major unit beside its twin contradicts a decision for the minor unit', async () => {
    const { errors } = await readBalance('{"balance":500,"balanceKobo":50000}', { contract: minor });
    expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_INVALID_RESPONSE', row: 'balance.valueMinor' } }]);
  });

  it('that cannot be an amount is refused in its own slot, by row and place', async () => {
    const balances = await readBalances(faulty.map(([balance]) => balance));
    expect(balances).toMatchObject(
      faulty.map(([, row, jsonPath]) => ({
        value: undefined,
        errors: [
          {
            code: 'UPSTREAM_INVALID_RESPONSE',
            operation: 'getCustomerBalance',
            row,
            jsonPath: expect.stringMatching(new RegExp(`^${jsonPath}(/balance)?$`)),
          },
        ],
      })),
    );
  });

  it('that is no object is refused', async () => {
    const balances = await readBalances(['[]', 'null', '"500.00"', '12345678901234567', 'true']);
    const errors = [{ code: 'UPSTREAM_INVALID_RESPONSE', operation: 'getCustomerBalance' }];
    expect(balances).toMatchObject(balances.map(() => ({ value: undefined, errors })));
  });

  const wallet = { 'customer.balance': ['/wallets/0'], 'balance.value': ['/amount'] };

  it.each<readonly [name: string, balance: string, contract: Readonly<Record<string, unknown>>, row: string]>([
    [
      'the first of several by its pointer',
      `{"all":${usdFirst}}`,
      { 'balance.value': ['/all/0/amount'] },
      'balance.value',
    ],
    [
      'the first of several twins by its pointer',
      '{"all":[{"kobo":700},{"kobo":50000}]}',
      { 'balance.valueMinor': ['/all/0/kobo'] },
      'balance.valueMinor',
    ],
    [
      'the first of several by the envelope',
      usdFirst,
      { 'envelope.data': ['/data/0', '/data'], 'balance.value': ['/amount'] },
      'envelope.data',
    ],
    [
      'an amount beside another currency than the decided one',
      '{"main":{"amount":"7.00","currency":"USD"}}',
      { 'balance.value': ['/amount', '/main/amount'] },
      'balance.currency',
    ],
    [
      'an amount in a record of another currency',
      '{"currency_code":"USD","main":{"amount":"7.00"}}',
      { 'balance.value': ['/main/amount'] },
      'balance.currency',
    ],
    [
      'an amount in a record whose names are in capitals, of another currency',
      '{"BALANCE":"7.00","CURRENCY":"USD"}',
      { 'balance.value': ['/BALANCE'] },
      'balance.currency',
    ],
    [
      'an amount two levels below another currency',
      '{"wallet":{"currency":"USD","main":{"amount":"7.00"}}}',
      { 'balance.value': ['/wallet/main/amount'] },
      'balance.currency',
    ],
    [
      'an amount beside another currency than the mapped one of its record',
      '{"currency":"NGN","main":{"amount":"7.00","currency":"USD"}}',
      { 'balance.value': ['/main/amount'] },
      'balance.currency',
    ],
    [
      'a twin beside another currency',
      '{"main":{"kobo":700,"currencyCode":"USD"}}',
      { 'balance.valueMinor': ['/main/kobo'] },
      'balance.currency',
    ],
  ])('that is %s is refused: no row says by which entry', async (_, balance, contract, row) => {
    const { customer, errors, paths } = await readBalance(balance, { contract });
    expect(customer).toEqual({ firstName: 'Ada', balance: null });
    expect(errors).toMatchObject([
      { extensions: { code: 'UPSTREAM_INVALID_RESPONSE', operation: 'getCustomerBalance', row } },
    ]);
    expect(paths).toHaveLength(2);
  });

  it('that the record of a customer carries as one of several is refused', async () => {
    const { gateway, upstream } = await startScripted(
      () => rawJson(`{"success":true,"data":{"id":"c1","first_name":"Ada","wallets":${usdFirst}}}`),
      { contract: wallet },
    );
    const { data, errors } = await query(gateway, '{ customer(id: "c1") { firstName balance { value { amount } } } }');
    expect(data.customer).toEqual({ firstName: 'Ada', balance: null });
    expect(errors).toMatchObject([
      { extensions: { code: 'UPSTREAM_INVALID_RESPONSE', row: 'customer.balance', jsonPath: '/data/wallets/0' } },
    ]);
    expect(upstream.requests).toHaveLength(1);
  });

  it.each([
    ['the only entry of a list', '{"all":[{"amount":"5.00"}]}', { 'balance.value': ['/all/0/amount'] }],
    ['the entry of a name', '{"by":{"USD":"7.00","NGN":"5.00"}}', { 'balance.value': ['/by/NGN'] }],
    ['beside its own currency', '{"main":{"amount":"5.00","currency":"ngn"}}', { 'balance.value': ['/main/amount'] }],
    ['beside no currency', '{"balance":"5.00","currency_code":"","currencyCode":null}', {}],
    ...['566', '"₦"', '"Nigerian naira"'].map((own): [string, string, Readonly<Record<string, unknown>>] => [
      `beside its currency as ${own}`,
      `{"balance":"5.00","currency_code":${own}}`,
      {},
    ]),
    [
      'beside its mapped currency in a record of another',
      '{"currency_code":"USD","main":{"amount":"5.00","in":"NGN"}}',
      { 'balance.value': ['/main/amount'], 'balance.currency': ['/main/in'] },
    ],
    [
      'beside another currency than that of its row',
      '{"balance":"5.00","currency_code":"USD","wallet":"NGN"}',
      { 'balance.currency': ['/wallet'] },
    ],
  ] satisfies [string, string, Readonly<Record<string, unknown>>][])(
    'is read that is %s',
    async (_, balance, contract) => {
      const { customer, errors } = await readBalance(balance, { contract });
      expect(errors).toEqual([]);
      expect(customer.balance.value).toEqual({ amount: '5.00', currency: 'NGN' });
    },
  );

  it.each([
    ['a currency of its own', '{"balance":"500","currency":"JPY"}', 'major', 'NGN', '500', 'JPY'],
    ['a lower-case currency', '{"balance":"1.5","currency":"kwd"}', 'major', 'NGN', '1.500', 'KWD'],
    ['a twin in a currency of its own', '{"balanceKobo":1500,"currency":"KWD"}', 'major', 'NGN', '1.500', 'KWD'],
    ['its number without zeros', '{"balance":"1.00","currency_code":8}', 'major', 'ALL', '1.00', 'ALL'],
    ['an unset currency', '{"balance":"1.5","currency":null}', 'major', 'NGN', '1.50', 'NGN'],
    ['the first of its names', '{"balance":"1.00","available":"2.00"}', 'major', 'NGN', '1.00', 'NGN'],
    ['the first name that is set', '{"balance":null,"available":"2.00"}', 'major', 'NGN', '2.00', 'NGN'],
    ['JPY in the minor unit', '{"balance":500}', 'minor', 'JPY', '500', 'JPY'],
    ['JPY in the major unit', '{"balance":"500"}', 'major', 'JPY', '500', 'JPY'],
    ['KWD in the minor unit', '{"balance":1234567}', 'minor', 'KWD', '1234.567', 'KWD'],
  ])('is read from %s: %s', async (_, balance, unit, decided, amount, currency) => {
    const contract = { 'money.unit': unit, 'money.currency': decided };
    const { customer, errors } = await readBalance(balance, { contract });
    expect(errors).toEqual([]);
    expect(customer.balance.value).toEqual({ amount, currency });
  });

  it('has an available and a ledger amount only where the contract maps them', async () => {
    const contract = { 'balance.available': ['/available_balance'], 'balance.ledgerMinor': ['/ledger_kobo'] };
    const balance = '{"balance":"5.00","available_balance":"4.00","ledger_kobo":"x"}';
    const document = '{ customer(id: "c1") { balance { value { amount } available { amount } ledger { amount } } } }';
    const plain = await startMoney({ balance });
    const mapped = await startMoney({ balance }, { contract });
    const [first, second] = [await query(plain.gateway, document), await query(mapped.gateway, document)];
    expect(first.errors).toEqual([]);
    expect(first.data.customer.balance).toEqual({ value: { amount: '5.00' }, available: null, ledger: null });
    expect(second.data.customer.balance).toEqual({
      value: { amount: '5.00' },
      available: { amount: '4.00' },
      ledger: null,
    });
    expect(second.errors).toMatchObject([
      {
        path: ['customer', 'balance', 'ledger'],
        extensions: { code: 'UPSTREAM_INVALID_RESPONSE', row: 'balance.ledgerMinor', jsonPath: '/data/ledger_kobo' },
      },
    ]);
  });
});

describe('a unit or currency that nobody has decided', () => {
  it.each([
    ['money.unit', { 'money.currency': 'NGN' }],
    ['money.currency', { 'money.unit': 'major' }],
    ['money.unit', {}],
  ])('refuses a balance by row %s without its call, and answers the rest', async (row, contract) => {
    const { customer, errors, paths } = await readBalance('{"balance":"5.00"}', { undecided: true, contract });
    expect(customer).toEqual({ firstName: 'Ada', balance: null });
    expect(errors).toMatchObject([
      {
        path: ['customer', 'balance'],
        extensions: { code: 'CONTRACT_UNDECIDED', operation: 'getCustomerBalance', row, retryable: true },
      },
    ]);
    expect(paths).toEqual(['/api/v1/customers/c1']);
  });

  it.each([
    ['money.unit', { 'money.currency': 'NGN' }],
    ['money.currency', { 'money.unit': 'major' }],
  ])('refuses the amount of a transaction by row %s and answers the others', async (row, contract) => {
    const twins = '{"id":"t2","amount":5,"amount_kobo":500,"currency":"NGN"}';
    const transactions = `[{"id":"t1","type":"credit","amount":"5.00"},${twins}]`;
    const { nodes, errors } = await readTransactions(transactions, { undecided: true, contract });
    expect(nodes).toEqual([null, { id: 't2', direction: 'UNKNOWN', amount: { amount: '5.00', currency: 'NGN' } }]);
    expect(errors).toMatchObject([
      {
        path: ['customer', 'transactions', 'nodes', 0, 'amount'],
        extensions: { code: 'CONTRACT_UNDECIDED', row, retryable: true },
      },
    ]);
  });

  it.each([
    ['money.unit', { 'money.currency': 'NGN' }, 'amount { amount }'],
    ['money.currency', { 'money.unit': 'major' }, 'amount { amount }'],
    ['times.zone', { 'times.zone': 'undecided' }, 'createdAt'],
  ] as const)('makes no new account retryable whose answer needs row %s', async (row, contract, field) => {
    const account = { id: 'a1', account_number: '0123456789', amount: '5.00', created_at: '2026-01-01T10:00:00' };
    const { gateway, upstream } = await startScripted(() => success(account, 201), { undecided: true, contract });
    const opened = `createOneTimeAccount(input: { customerId: "c1" }) { oneTimeAccount { id ${field} } }`;
    const { data, errors } = await query(gateway, `mutation { ${opened} }`);
    expect(data.createOneTimeAccount.oneTimeAccount).toMatchObject({ id: 'a1' });
    expect(errors).toMatchObject([{ extensions: { code: 'CONTRACT_UNDECIDED', row, retryable: false } }]);
    expect(upstream.requests).toHaveLength(1);
  });
});

describe('a transaction', () => {
  it('is readable without its amount where money is undecided', async () => {
    const { gateway } = await startMoney({ transactions: '[{"id":"t1","amount":"5.00"}]' }, { undecided: true });
    const { data } = await query(gateway, '{ customer(id: "c1") { transactions { nodes { id } } } }');
    expect(data.customer.transactions.nodes).toEqual([{ id: 't1' }]);
  });

  const directions: readonly [type: string, amount: string, direction: string][] = [
    ['credit', '"5.00"', 'CREDIT'],
    ['deposit', '5', 'CREDIT'],
    ['Credit', '5', 'CREDIT'],
    ['transfer_credit', '5', 'CREDIT'],
    ['debit', '5', 'DEBIT'],
    ['withdrawal', '-5', 'DEBIT'],
    ['WALLET-DEBIT', '5', 'DEBIT'],
    ['transfer', '-5', 'DEBIT'],
    ['transfer', '"-5.00"', 'DEBIT'],
    ['transfer', '5', 'UNKNOWN'],
    ['transfer', '0', 'UNKNOWN'],
    ['transfer', '"-0.00"', 'UNKNOWN'],
    ['accredited', '5', 'UNKNOWN'],
    ['debit credit', '5', 'UNKNOWN'],
    ['debit_reversal', '5', 'UNKNOWN'],
    ['credit_card', '5', 'UNKNOWN'],
    ['credit', '"-5.00"', 'UNKNOWN'],
    ['credit', '"-0.00"', 'CREDIT'],
    ['debit', '"-5.00"', 'DEBIT'],
    ['', '5', 'UNKNOWN'],
  ];

  it('has a direction by its type and sign, and its amount is never negative', async () => {
    const records = directions.map(([type, amount], id) => `{"id":${id + 1},"type":"${type}","amount":${amount}}`);
    const { nodes, errors } = await readTransactions(`[${records.join()}]`);
    expect(errors).toEqual([]);
    expect(nodes).toMatchObject(
      directions.map(([, , direction]) => ({
        direction,
        amount: { amount: expect.stringMatching(/^(0|5)\.00$/) },
      })),
    );
  });

  it.each([
    ['debits and credits', '/debit', '/credit', 'transaction.amount'],
    ['debits and credits in minor units', '/debit', '/credit', 'transaction.amountMinor'],
  ])('shows no zero for the amount in another column of %s', async (_, debit, credit, row) => {
    const rows = { 'transaction.amount': [], 'transaction.amountMinor': [], [row]: [debit, credit] };
    const columns = ['{"id":"t1","debit":0,"credit":500}', '{"id":"t2","debit":700,"credit":"0.00"}'];
    const others = ['{"id":"t3","debit":null,"credit":900}', '{"id":"t4","debit":0,"credit":"0"}'];
    const { nodes, errors } = await readTransactions(`[${[...columns, ...others].join()}]`, { contract: rows });
    expect(nodes.map((node: { id: string } | null) => node?.id)).toEqual([undefined, 't2', 't3', 't4']);
    expect(errors).toMatchObject([
      {
        path: ['customer', 'transactions', 'nodes', 0, 'amount'],
        extensions: { code: 'UPSTREAM_INVALID_RESPONSE', row: 'transaction.amount', jsonPath: '/data/0' },
      },
    ]);
  });

  it('has no direction by a word before others than neutral ones, and none beside a failure', async () => {
    const turned = ['failed_withdrawal', 'chargeback credit', 'debit_reversal'];
    const products = ['SEPA_DIRECT_DEBIT', 'fixed_deposit', 'Term Deposit'];
    const types = ['SEPA_CREDIT_TRANSFER', 'credit transfer', 'Deposit Hold', ...products, ...turned];
    const plain = ['transfer_debit', 'POS_DEBIT', 'airtime debit', 'debit_wallet'];
    const records = [...plain, ...types].map((type, id) => `{"id":${id + 1},"type":"${type}","amount":5}`);
    const negative = '{"id":"n","type":"debit_reversal","amount":-5}';
    const { nodes } = await readTransactions(`[${[...records, negative].join()}]`);
    const unknown = [...types, negative].map(() => 'UNKNOWN');
    expect(nodes).toMatchObject([...plain.map(() => 'DEBIT'), ...unknown].map((direction) => ({ direction })));
  });

  it.each(['credit', 'debit'])('has no direction by %s beside a word that may turn it round', async (type) => {
    const turning = ['fee', 'fees', 'charge', 'chargeback', 'refund', 'refunded', 'return', 'void', 'cancelled'];
    const types = turning.flatMap((word) => [`${type}_${word}`, `${word}_${type}`]);
    const records = types.map((text, id) => `{"id":${id + 1},"type":"${text}","amount":5}`);
    const { nodes } = await readTransactions(`[${records.join()}]`);
    expect(nodes).toMatchObject(types.map(() => ({ direction: 'UNKNOWN' })));
  });

  it('has a direction by the sign of its twin, too, and keeps every digit of an amount without its sign', async () => {
    const { nodes } = await readTransactions('[{"id":1,"amount_kobo":-500},{"id":2,"amount":-9007199254740993.01}]');
    expect(nodes).toEqual([
      { id: '1', direction: 'DEBIT', amount: { amount: '5.00', currency: 'NGN' } },
      { id: '2', direction: 'DEBIT', amount: { amount: '9007199254740993.01', currency: 'NGN' } },
    ]);
  });

  it('has a direction by the words that the contract names', async () => {
    const contract = { 'transaction.creditWords': ['in'], 'transaction.debitWords': ['out'] };
    const transactions =
      '[{"id":1,"type":"in","amount":5},{"id":2,"type":"out","amount":5},{"id":3,"type":"credit","amount":5}]';
    const { nodes } = await readTransactions(transactions, { contract });
    expect(nodes.map(({ direction }: { readonly direction: string }) => direction)).toEqual([
      'CREDIT',
      'DEBIT',
      'UNKNOWN',
    ]);
  });

  it.each([
    ['more decimals', '"amount":"5.001"', 'transaction.amount', '/data/1/amount'],
    ['no amount', '"note":"none"', 'transaction.amount', '/data/1'],
    ['a twin that disagrees', '"amount":"5.00","amountKobo":5', 'transaction.amountMinor', '/data/1/amountKobo'],
    ['an unknown currency', '"amount":"5.00","currency":"ZZZ"', 'transaction.currency', '/data/1/currency'],
  ])('with %s nulls only its own slot', async (_, fields, row, jsonPath) => {
    const { nodes, errors } = await readTransactions(
      `[{"id":"t1","amount":"1.00"},{"id":"t2",${fields}},{"id":"t3","amount":"3.00"}]`,
    );
    const amountOf = (node: { readonly amount: { readonly amount: string } } | null) => node?.amount.amount;
    expect(nodes.map(amountOf)).toEqual(['1.00', undefined, '3.00']);
    expect(errors).toMatchObject([
      {
        path: ['customer', 'transactions', 'nodes', 1, 'amount'],
        extensions: { code: 'UPSTREAM_INVALID_RESPONSE', operation: 'listCustomerTransactions', row },
      },
    ]);
    expect(String(errors[0]?.extensions['jsonPath'])).toMatch(new RegExp(`^${jsonPath}(/amount)?$`));
  });
});

const literalDocument = (amount: string) =>
  `mutation { createOneTimeAccount(input: { customerId: "c1", amount: ${amount} }) { oneTimeAccount { id } } }`;
const variableDocument = `mutation ($amount: Decimal) {
  createOneTimeAccount(input: { customerId: "c1", amount: $amount }) { oneTimeAccount { amount { amount } } userErrors { code } }
}`;

const startCreating = (data: unknown = { id: 'a1' }, options: Options = {}) =>
  startScripted(() => success(data, 201), options);

describe('the amount of a one-time account', () => {
  const ofRow = { 'account.currency': ['/money'] };
  const texts = ['', ' ', ' 1', '1 ', ...'0 0.00 -1 -0.01 +1 1e3 1. .5 1,000 0x10 ٥ NaN 1.001'.split(' ')];
  const longTexts = ['1234567890123456789', '12345678901234567.89', '0.1234567890123456789', '1\n'];
  const others = [500, 500.5, 0, -1, true, ['500'], { amount: '500' }];

  it('is refused as anything else than a positive decimal text of 18 digits, without a call', async () => {
    const { gateway, upstream } = await startCreating();
    for (const amount of [...texts, ...longTexts, ...others]) {
      const literal = JSON.stringify(amount).replaceAll(/"(\w+)":/g, '$1: ');
      const answers = [
        await query(gateway, variableDocument, { variables: { amount } }),
        await query(gateway, literalDocument(literal)),
      ];
      expect(answers.map(codes), `for ${literal}`).toEqual([['BAD_USER_INPUT'], ['BAD_USER_INPUT']]);
    }
    expect(upstream.requests).toEqual([]);
  });

  it('is refused with its place in the document', async () => {
    const { gateway } = await startCreating();
    const { errors } = await query(gateway, literalDocument('500'));
    expect(errors).toMatchObject([{ locations: [{ line: 1, column: literalDocument('500').indexOf('500') + 1 }] }]);
  });

  it.each([
    ['007.50', '7.50'],
    ['00.05', '0.05'],
    ['000123456789012345678', '123456789012345678'],
  ])('%s is sent without the zeros in front: %s', async (amount, sent) => {
    const { gateway, upstream } = await startCreating();
    await query(gateway, variableDocument, { variables: { amount } });
    await query(gateway, literalDocument(`"${amount}"`));
    expect(upstream.requests.map(({ body }) => body)).toEqual([`{"amount":"${sent}"}`, `{"amount":"${sent}"}`]);
  });

  it.each([
    ['JPY', '1.0'],
    ['JPY', '1.50'],
    ['KWD', '1.0001'],
    ['NGN', '1.100'],
  ])('in %s is refused as %s without a call', async (currency, amount) => {
    const { gateway, upstream } = await startCreating({}, { contract: { 'money.currency': currency } });
    expect(codes(await query(gateway, variableDocument, { variables: { amount } }))).toEqual(['BAD_USER_INPUT']);
    expect(upstream.requests).toEqual([]);
  });

  it.each([
    ['money.unit', { 'money.currency': 'NGN' }],
    ['money.currency', { 'money.unit': 'minor' }],
  ])('is refused by row %s without a call where that is undecided', async (row, contract) => {
    const { gateway, upstream } = await startCreating({}, { undecided: true, contract });
    const { data, errors } = await query(gateway, variableDocument, { variables: { amount: '500.00' } });
    expect(data.createOneTimeAccount).toBeNull();
    expect(errors).toMatchObject([
      {
        path: ['createOneTimeAccount'],
        extensions: { code: 'CONTRACT_UNDECIDED', operation: 'createCustomerOneTimeAccount', row },
      },
    ]);
    expect(upstream.requests).toEqual([]);
  });

  it('needs no decision where there is none', async () => {
    const { gateway, upstream } = await startCreating({ id: 'a1' }, { undecided: true });
    const { data, errors } = await query(gateway, variableDocument);
    expect(errors).toEqual([]);
    expect(data.createOneTimeAccount).toEqual({ oneTimeAccount: { amount: null }, userErrors: [] });
    expect(upstream.requests.map(({ body }) => body)).toEqual(['{}']);
  });

  it.each([
    ['NGN', 'major', '500.00', '500.00'],
    ['NGN', 'minor', '500', '50000'],
    ['NGN', 'minor', '0.5', '50'],
    ['NGN', 'minor', '9007199254740993.01', '900719925474099301'],
    ['JPY', 'minor', '500', '500'],
    ['KWD', 'minor', '0.001', '1'],
  ])('in %s, in the %s unit, goes out for %s as the text %s', async (currency, unit, amount, sent) => {
    const contract = { 'money.unit': unit, 'money.currency': currency };
    const { gateway, upstream } = await startCreating({ id: 'a1' }, { contract });
    const { errors } = await query(gateway, variableDocument, { variables: { amount } });
    expect(errors).toEqual([]);
    expect(upstream.requests.map(({ body }) => body)).toEqual([JSON.stringify({ amount: sent })]);
  });

  it.each<[what: string, answer: object, value: object | null, contract?: Options['contract']]>([
    ['a text in the minor unit', { amount: '50000' }, { amount: '500.00', currency: 'NGN' }, minor],
    ['a number in the minor unit', { amount: 50_000 }, { amount: '500.00', currency: 'NGN' }, minor],
    [
      'in the currency that its row names',
      { amount: '5.00', money: 'USD' },
      { amount: '5.00', currency: 'USD' },
      ofRow,
    ],
  ])('comes back as %s', async (_, answer, value, contract = {}) => {
    const { gateway } = await startCreating({ id: 'a1', ...answer }, { contract });
    const { data, errors } = await query(
      gateway,
      'mutation { createOneTimeAccount(input: { customerId: "c1" }) { oneTimeAccount { id amount { amount currency } } } }',
    );
    expect(data.createOneTimeAccount.oneTimeAccount).toEqual({ id: 'a1', amount: value });
    expect(errors).toEqual([]);
  });

  it.each<[row: string, answer: object, jsonPath: string, contract?: Options['contract']]>([
    ['account.amount', { amount: -1 }, '/data/amount'],
    ['account.amountMinor', { amountKobo: -100 }, '/data/amountKobo'],
    ['account.amountMinor', { amount: 1, amountKobo: -100 }, '/data/amountKobo', { 'money.unit': null }],
  ])(
    'that is negative is an error in its own slot, by row and place: %s of %j',
    async (row, answer, jsonPath, contract = {}) => {
      const { gateway } = await startCreating({ id: 'a1', ...answer }, { contract });
      const { data, errors } = await query(
        gateway,
        'mutation { createOneTimeAccount(input: { customerId: "c1" }) { oneTimeAccount { id amount { amount } } } }',
      );
      expect(data.createOneTimeAccount.oneTimeAccount).toEqual({ id: 'a1', amount: null });
      const path = ['createOneTimeAccount', 'oneTimeAccount', 'amount'];
      expect(errors).toMatchObject([{ path, extensions: { code: 'UPSTREAM_INVALID_RESPONSE', row, jsonPath } }]);
    },
  );
});
