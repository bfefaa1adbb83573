import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { message, startFaultUpstream } from '../support/upstream/fault-upstream.ts';
import type { Lookup } from '../../src/domain/errors.ts';
import { codes, query, startGateway, startScripted } from '../support/gateway.ts';
import { failure, identifierIn, pageOf, success } from '../support/upstream/upstream.ts';
import { update, writeOf } from '../support/upstream/write-cases.ts';

const read = (id: string) => `{ customer(id: "${id}") { id } }`;
const uuid = '6f1d2c3e-aaaa-4bbb-8ccc-0123456789ab';

/** What was asked by, and a record that it names. */
const fitting: readonly [asked: string, record: object][] = [
  ['c1', { id: 'c1' }],
  ['7', { id: 7 }],
  ['CUS_1', { id: 'c1', code: 'CUS_1' }],
  ['ref-1', { id: 'c1', reference: 'ref-1' }],
  ['Ada@Example.com', { id: 'c1', email: 'ada@example.COM' }],
  [uuid.toUpperCase(), { id: uuid }],
];

const foreign: readonly [asked: string, record: object][] = [
  ['c1', { id: 'stranger' }],
  ['c1', { id: 'C1' }],
  ['ref-1', { id: 'c1', reference: 'REF-1' }],
  ['c1', { id: 'stranger', first_name: 'c1' }],
  ['+2348000000000', { id: 'c1', phone: '+2348000000000' }],
];

describe('a record of which nobody has said what identifies it', () => {
  const undecided = { 'customer.identifiedBy': 'undecided', 'settlementBank.identifiedBy': 'undecided' };

  it.each([
    ['a read', read('c1'), 'getCustomer', 'customer.identifiedBy'],
    ['a read', '{ settlementBank(id: "b1") { id } }', 'getSettlementBank', 'settlementBank.identifiedBy'],
    ['an update', update.document, 'updateCustomer', 'customer.identifiedBy'],
    ['an update', writeOf('updateSettlementBank').document, 'updateSettlementBank', 'settlementBank.identifiedBy'],
  ])('is left undecided by %s, without a call', async (_, document, operation, row) => {
    const { gateway, upstream } = await startScripted(() => success({ id: 'c1' }), { contract: undecided });
    const { errors } = await query(gateway, document);
    expect(errors).toMatchObject([{ extensions: { code: 'CONTRACT_UNDECIDED', operation, row } }]);
    expect(upstream.requests).toEqual([]);
  });

  it('is there in a list', async () => {
    const { gateway } = await startScripted(() => success([{ id: 'c1' }]), { contract: undecided });
    const { data, errors } = await query(gateway, '{ customers { nodes { id } } }');
    expect([data, errors]).toEqual([{ customers: { nodes: [{ id: 'c1' }] } }, []]);
  });
});

describe('a record that is read', () => {
  it.each(fitting)('is the one asked for by %s', async (asked, record) => {
    const { gateway, upstream } = await startScripted(() => success(record));
    const { data, errors } = await query(gateway, read(asked));
    expect(errors).toEqual([]);
    expect(data.customer.id).not.toBe('');
    expect(upstream.requests).toHaveLength(1);
  });

  it.each(foreign)(
    'is not the one asked for by %s: it is asked for once more, then an error',
    async (asked, record) => {
      const { gateway, upstream } = await startScripted(() => success(record));
      const { data, errors } = await query(gateway, read(asked));
      expect(data.customer).toBeNull();
      expect(errors).toMatchObject([
        { extensions: { code: 'UPSTREAM_INVALID_RESPONSE', row: 'customer.identifiedBy', jsonPath: '/data' } },
      ]);
      expect(JSON.stringify(errors)).not.toContain('stranger');
      expect(upstream.requests).toHaveLength(2);
    },
  );

  it.each([[['/phone']], ['none'], [[]]])('is identified as the contract says: %j', async (row) => {
    const { gateway, upstream } = await startScripted(() => success({ id: 'c1', phone: '+234' }), {
      contract: { 'customer.identifiedBy': row },
    });
    expect((await query(gateway, read('+234'))).errors).toEqual([]);
    expect(upstream.requests).toHaveLength(1);
  });

  it('is always identified by its id, wherever the contract finds that', async () => {
    const { gateway } = await startScripted(() => success({ customer_code: 'c1' }), {
      contract: { 'customer.id': ['/customer_code'] },
    });
    expect((await query(gateway, read('c1'))).data).toEqual({ customer: { id: 'c1' } });
  });

  it('is a settlement bank only by its id', async () => {
    const { gateway, upstream } = await startScripted(() => success({ id: 'b2', reference: 'b1' }));
    const { errors } = await query(gateway, '{ settlementBank(id: "b1") { name } }');
    expect(errors).toMatchObject([{ extensions: { row: 'settlementBank.identifiedBy' } }]);
    expect(upstream.requests).toHaveLength(2);
  });
});

describe('a record that is written', () => {
  it.each([
    ['updateCustomer', 'email: "new@example.com"', { id: 5, email: 'new@example.com' }],
    ['updateCustomer', 'collectionWalletId: "5"', { id: 5, first_name: 'Other' }],
    ['updateCustomer', 'lastName: "Obi"', { id: 5, reference: 'Obi' }],
    ['updateSettlementBank', 'bankCode: "58"', { id: 58, name: 'Other' }],
    ['updateCustomer', 'reference: "new"', { id: 5, reference: 'other' }],
  ])('is OUTCOME_UNKNOWN where another record than %s addressed comes back: %s', async (field, sent, record) => {
    const { gateway, upstream } = await startScripted(() => success(record));
    const document = `mutation { ${field}(input: { id: "9", ${sent} }) { userErrors { code } } }`;
    expect(codes(await query(gateway, document))).toEqual(['OUTCOME_UNKNOWN']);
    expect(upstream.requests).toHaveLength(1);
  });
});

describe('a record below a customer', () => {
  const rows = {
    'balance.customerId': ['/customer_id'],
    'transaction.customerId': ['/customer/id'],
    'account.customerId': ['/customer_id'],
  };
  const selections: readonly [selection: string, row: string, fields: (customer: string) => object][] = [
    ['balance { value { amount } }', 'balance.customerId', (customer_id) => ({ balance: '1.00', customer_id })],
    [
      'transactions { nodes { id } }',
      'transaction.customerId',
      (id) => ({ id: 't1', amount: '1.00', customer: { id } }),
    ],
    ['virtualAccounts { nodes { id } }', 'account.customerId', (customer_id) => ({ id: 'a1', customer_id })],
  ];
  const below = (fields: object) => (path: string) => (path.includes('?') ? pageOf([fields], path) : success(fields));

  it.each(selections)('is held to the customer asked for: %s', async (selection, row, fields) => {
    const document = `{ customer(id: "c1") { ${selection} } }`;
    const ask = async (fields: object) => {
      const answer = below(fields);
      const { gateway, upstream } = await startScripted(
        ({ path }) => (path.endsWith('/customers/c1') ? success({ id: 'c1' }) : answer(path)),
        { contract: rows },
      );
      const { errors } = await query(gateway, document);
      return { rows: errors.map(({ extensions }) => extensions['row']), calls: upstream.requests.length };
    };
    expect(await ask(fields('c1'))).toEqual({ rows: [], calls: 2 });
    // Ahead, then where it is needed, and there once more over a connection of its own.
    expect(await ask(fields('c2'))).toEqual({ rows: [row], calls: 4 });
    expect(await ask({ ...fields('c1'), customer_id: undefined, customer: undefined })).toEqual({
      rows: [row],
      calls: 4,
    });
  });
});

describe('a connection that carries a stray answer', () => {
  /** A service whose first connection answers with the record of another, and every later one rightly. */
  const startWithOneStray = async () => {
    const sockets: Socket[] = [];
    const upstream = await startFaultUpstream(({ path }) => (socket) => {
      if (!sockets.includes(socket)) sockets.push(socket);
      const id = socket === sockets[0] ? 'stranger' : identifierIn(path);
      socket.write(message('200 OK', JSON.stringify({ success: true, data: { id } })));
    });
    const gateway = await startGateway({ upstream: upstream.url, environment: { UPSTREAM_CONNECTIONS: '1' } });
    return { sockets, upstream, gateway };
  };

  it('is closed by the read that meets it: of three reads only the first is asked for again', async () => {
    const { upstream, gateway } = await startWithOneStray();
    const answers = [];
    for (const id of ['c1', 'c2', 'c3']) answers.push(await query(gateway, read(id)));
    expect(answers.flatMap(({ errors }) => errors)).toEqual([]);
    expect(answers.map(({ data }) => data.customer.id)).toEqual(['c1', 'c2', 'c3']);
    expect(upstream.requests).toHaveLength(4);
  });

  it('is closed before it carries a read that waits for it', async () => {
    const { sockets, upstream, gateway } = await startWithOneStray();
    const { data, errors } = await query(gateway, '{ a: customer(id: "c1") { id } b: customer(id: "c2") { id } }');
    expect(errors).toEqual([]);
    expect(data).toEqual({ a: { id: 'c1' }, b: { id: 'c2' } });
    await expect.poll(() => sockets[0]?.closed).toBe(true);
    expect(upstream.requests).toHaveLength(3);
  });

  it('is no success of an update either where its id is found by a second pointer', async () => {
    const { gateway } = await startScripted(() => success({ id: 'c2' }), {
      contract: { 'customer.id': ['/uuid', '/id'] },
    });
    const answer = await query(
      gateway,
      'mutation { updateCustomer(input: { id: "c1", firstName: "A" }) { customer { id } } }',
    );
    expect(codes(answer)).toEqual(['OUTCOME_UNKNOWN']);
  });

  it('is closed by the write that meets it: of three updates only the first is OUTCOME_UNKNOWN, the others share one', async () => {
    const { sockets, upstream, gateway } = await startWithOneStray();
    const answers = [];
    for (let count = 0; count < 3; count += 1) answers.push(await query(gateway, update.document));
    expect(answers.map(codes)).toEqual([['OUTCOME_UNKNOWN'], [], []]);
    expect([upstream.requests.length, sockets.length]).toEqual([3, 2]);
  });
});

describe('the lookup of a write', () => {
  const lists = ['listCustomers', 'listSettlementBanks', 'listCustomerVirtualAccounts'];
  const unlisted = Object.fromEntries(lists.map((list) => [`${list}.pageStyle`, 'undecided']));
  const byReference = { 'customer.identifiedBy': ['/reference'] };
  const searched = { ...byReference, 'listCustomers.search': 'q' };
  const elsewhere = { 'customer.reference': ['/ref'], 'customer.identifiedBy': ['/ref'] };
  const phone = 'phone: "+2340000000000"';
  const carried = { 'customer.virtualAccounts': ['/accounts'] };
  const create = (kind: string, input: string) => `create${kind}(input: { ${input} }) { userErrors { code } }`;
  const customer = (input: string) => create('Customer', input);
  const named = customer('reference: "r"');
  const bank = create('SettlementBank', 'accountNumber: "0123456789"');
  const account = create('VirtualAccount', 'customerId: "c1"');

  it.each<[why: string, mutation: string, contract: object, told?: string]>([
    ['nobody has said what identifies customers', named, {}, 'customers by reference'],
    ['references identify them', named, { 'customer.identifiedBy': ['/id', '/reference'] }, 'customer by reference'],
    ['they can be searched, too', named, searched, 'customers by reference'],
    ['references identify nobody', named, { 'customer.identifiedBy': ['/id'] }, 'customers by reference'],
    ['identifiers are not checked', named, { 'customer.identifiedBy': 'none' }, 'customers by reference'],
    ['references stand elsewhere', named, elsewhere, 'customer by reference'],
    ['no list is served', named, unlisted],
    ['no list is served, but single customers are', named, { ...unlisted, ...searched }, 'customer by reference'],
    ['an e-mail address was sent', customer(`email: "a@b.example", ${phone}`), {}, 'customers by email'],
    ['a phone number was sent', customer(phone), {}, 'customers by phone'],
    ['a name alone was sent', customer('firstName: "Ada"'), {}, 'customers by reference'],
    ['a reference identifies them, and none was sent', customer('firstName: "Ada"'), byReference, 'customers by email'],
    ['neither a list nor a reference helps', customer('email: "a@b.example"'), { ...unlisted, ...byReference }],
    ['an account number was sent', bank, {}, 'settlementBanks by accountNumber'],
    ['no list of banks is served', bank, unlisted],
    ['no list of accounts is served', account, unlisted],
    ['customers carry their accounts', account, { ...unlisted, ...carried }, 'customer.virtualAccounts by customerId'],
    ['no single customer can be read', account, { 'customer.identifiedBy': 'undecided' }],
  ])('goes by what the contract serves and what was sent, where %s', async (_, mutation, contract, told) => {
    const { gateway } = await startScripted(() => failure(500), { contract: { ...contract } });
    const { errors } = await query(gateway, `mutation { ${mutation} }`);
    expect(errors).toMatchObject([{ extensions: { code: 'OUTCOME_UNKNOWN' } }]);
    const lookup = errors[0]?.extensions['lookup'] as Lookup | undefined;
    expect(lookup && `${lookup.field} by ${lookup.by.join()}`).toBe(told);
  });
});
