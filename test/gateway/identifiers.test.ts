import { describe, expect, it } from 'vitest';
import { createLoader } from '../../src/graphql/loader.ts';
import { oneCall, type Read, type UpstreamRequest } from '../../src/upstream/operation.ts';
import { codes, credentials, query, startScripted } from '../support/gateway.ts';
import { rawJson } from '../support/upstream/paging.ts';
import { identifierIn, pageOf, success } from '../support/upstream/upstream.ts';

const customerDocument = 'query ($id: ID!) { customer(id: $id) { id } }';

/** Identifiers that a service may give out, and the one segment that each is on the wire. */
const accepted: readonly [identifier: string, segment: string][] = [
  ['c1', 'c1'],
  ['0', '0'],
  ['ada+test@example.com', 'ada%2Btest%40example.com'],
  ['a b', 'a%20b'],
  [' ', '%20'],
  ['a:b,c=d&e', 'a%3Ab%2Cc%3Dd%26e'],
  ['...', '...'],
  ['.a', '.a'],
  ['..a', '..a'],
  ['{id}', '%7Bid%7D'],
  ['$&', '%24%26'],
  ['é', '%C3%A9'],
  ['😀', '%F0%9F%98%80'],
  ['__proto__', '__proto__'],
  ['x'.repeat(255), 'x'.repeat(255)],
  [`x${'é'.repeat(127)}`, `x${'%C3%A9'.repeat(127)}`],
];

/** Identifiers that would name another resource behind a proxy that decodes paths. */
const hostile =
  String.raw`a/b / ../settlement-banks/b1 ..\c1 c1/.. c1/../c2 a?b ?page=2 a#b a;b ..; a%b %2f ..%2Fsettlement-banks%2Fb1 %2e%2e%2f %252e%252e%252f %00 %0d%0a x／..／..／settlement-banks a／b a＼b a％b a％2fb a？b a＃b a；b a℀b`.split(
    ' ',
  );

const refused: readonly [name: string, identifier: string][] = [
  ['an empty text', ''],
  ['a dot', '.'],
  ['two dots', '..'],
  ['dots and a space', '.. '],
  ['dots behind an invisible character', '\u200b..'],
  ['wide dots', '\uff0e\uff0e'],
  ['a null character', 'a\u0000b'],
  ['a line break', 'a\nb'],
  ['a carriage return', 'c1\r\nx-header: 1'],
  ['a tab', '\t'],
  ['a delete character', 'a\u007f'],
  ['a C1 control character', 'a\u0085'],
  ['the first half of a character', 'a\ud800'],
  ['the second half of a character', '\udc00a'],
  ['256 bytes', 'x'.repeat(256)],
  ['256 bytes in 128 characters', 'é'.repeat(128)],
  ['10 kB', 'x'.repeat(10_240)],
];

const queryOf = (field: string) => `query ($id: ID!) { ${field}(id: $id) { id } }`;
const mutationOf = (field: string, name: string) =>
  `mutation ($id: ID!) { ${field}(input: { ${name}: $id }) { userErrors { code } } }`;

const byIdentifier: readonly [document: string, path: (segment: string) => string][] = [
  [queryOf('customer'), (segment) => `/customers/${segment}`],
  [queryOf('settlementBank'), (segment) => `/settlement-banks/${segment}`],
  [mutationOf('updateCustomer', 'id'), (segment) => `/customers/${segment}`],
  [mutationOf('updateSettlementBank', 'id'), (segment) => `/settlement-banks/${segment}`],
  [mutationOf('createVirtualAccount', 'customerId'), (segment) => `/customers/${segment}/virtual-accounts`],
  [mutationOf('createOneTimeAccount', 'customerId'), (segment) => `/customers/${segment}/one-time-accounts`],
];

describe('an identifier', () => {
  it('is exactly one segment on the wire', async () => {
    const { gateway, upstream } = await startScripted(({ path }) => success({ id: identifierIn(path) }));
    for (const [id] of accepted) {
      expect((await query(gateway, customerDocument, { variables: { id } })).errors, `for ${id}`).toEqual([]);
    }
    expect(upstream.requests.map(({ path }) => path)).toEqual(
      accepted.map(([, segment]) => `/api/v1/customers/${segment}`),
    );
  });

  it('that could not be one is refused without a call', async () => {
    const { gateway, upstream } = await startScripted(() => success({ id: 'c1' }));
    const message =
      'An identifier must be 1 to 255 bytes of text without control characters and without the characters ' +
      String.raw`/ \ % ? # ;, and not a dot segment.`;
    for (const [name, id] of [...refused, ...hostile.map((each) => [each, each] as const)]) {
      const answer = await query(gateway, customerDocument, { variables: { id } });
      expect(answer.data, `for ${name}`).toEqual({ customer: null });
      expect(answer.errors, `for ${name}`).toMatchObject([
        { message, path: ['customer'], extensions: { code: 'BAD_USER_INPUT' } },
      ]);
    }
    expect(upstream.requests).toEqual([]);
  });

  it.each(byIdentifier)(
    'of %s is one escaped segment, and refused where it could leave its path',
    async (document, path) => {
      const { gateway, upstream } = await startScripted((request) => success({ id: identifierIn(request.path) }));
      const { errors } = await query(gateway, document, { variables: { id: 'ada+b c@é' } });
      expect(errors).toEqual([]);
      for (const id of ['..', '', 'a/b']) {
        expect(codes(await query(gateway, document, { variables: { id } })), `for ${id}`).toEqual(['BAD_USER_INPUT']);
      }
      expect(upstream.requests.map((request) => request.path)).toEqual([`/api/v1${path('ada%2Bb%20c%40%C3%A9')}`]);
    },
  );

  it.each([
    [['/'], 'a/b', 'a%2Fb'],
    [['%'], 'a%b', 'a%25b'],
    [[';'], 'a;b', 'a%3Bb'],
  ])('may hold %j where the contract allows it: %s is one segment', async (allowed, id, segment) => {
    const { gateway, upstream } = await startScripted(() => success({ id }), {
      contract: { 'identifiers.allow': allowed },
    });
    const { errors } = await query(gateway, customerDocument, { variables: { id } });
    expect(errors).toEqual([]);
    expect(upstream.requests.map(({ path }) => path)).toEqual([`/api/v1/customers/${segment}`]);
  });

  it.each([
    [['/'], ['a;b', 'a%b', '..', '../c1', 'c1/..', 'c1/./c2', 'a\\b', 'c1／..', '．．／c1', 'a；b']],
    [['%'], ['..%2f\u0307', '%2e%2e', '%2f', 'a%2Fb', 'a%252Fb', '%2e.%2fc1', 'a%3Bb', 'a%00b', 'a%250ab']],
    [
      ['/', '%'],
      ['..%2Fc1', '%252e%252e/c1', 'c1/%2E%2E'],
    ],
    [[';'], ['..;', '..;a=b', 'a;..']],
    [
      ['/', '\\', '%', '?', '#', ';'],
      ['..\\c1', '..;/c1', 'a/..?b', '..#', '%2e%2e%5cc1'],
    ],
  ])('is refused where the contract allows %j and it still could leave its path', async (allowed, ids) => {
    const { gateway, upstream } = await startScripted(() => success({ id: 'c1' }), {
      contract: { 'identifiers.allow': allowed },
    });
    for (const id of ids) {
      expect(codes(await query(gateway, customerDocument, { variables: { id } })), `for ${id}`).toEqual([
        'BAD_USER_INPUT',
      ]);
    }
    expect(upstream.requests).toEqual([]);
  });
});

describe('an identifier that JSON holds as a number', () => {
  /** Sends the number as its text, which `JSON.stringify` would round already. */
  const ask = (url: string, document: string, number: string) => {
    const headers = { 'content-type': 'application/json', ...credentials };
    const body = `{"query":${JSON.stringify(document)},"variables":{"id":${number}}}`;
    return fetch(`${url}/graphql`, { method: 'POST', headers, body });
  };
  const documents = [
    customerDocument,
    'mutation ($id: ID!) { updateCustomer(input: { id: $id }) { customer { id } } }',
    'query ($id: ID!) { _entities(representations: [{ __typename: "Customer", id: $id }]) { ... on Customer { email } } }',
  ];

  it.each(documents)('is refused from 2^53 on, where parsing may have rounded it: %s', async (document) => {
    const { gateway, upstream } = await startScripted(({ path }) => success({ id: identifierIn(path) }));
    expect((await ask(gateway.url, document, '9007199254740991')).status).toBe(200);
    for (const number of ['9007199254740993', '9.007199254740992e15', '1e22']) {
      const answer = await ask(gateway.url, document, number);
      expect(answer.status).toBe(400);
      expect(await answer.text()).toMatch(/\$id\\" has an invalid value.*send it as a string.*"BAD_USER_INPUT"/);
    }
    expect(new Set(upstream.requests.map(({ path }) => identifierIn(path)))).toEqual(new Set(['9007199254740991']));
  });
});

describe('an identifier in an answer', () => {
  it.each([
    ['a text', '"c1"', 'c1'],
    ['a number', '42', '42'],
    ['0', '0', '0'],
    ['a text of digits with zeros before', '"0042"', '0042'],
    ['a number of 20 digits', '12345678901234567890', '12345678901234567890'],
    ['a number of 16 digits', '9007199254740993', '9007199254740993'],
  ])('is exact from %s', async (_, id, expected) => {
    const { gateway } = await startScripted(() => rawJson(`{"success":true,"data":{"id":${id},"reference":"x"}}`));
    const { data, errors } = await query(gateway, '{ customer(id: "x") { id } }');
    expect(errors).toEqual([]);
    expect(data.customer.id).toBe(expected);
  });

  it.each([null, '', true, {}, ['c1'], '..', '%2e%2E', '%2e', '．．', 'a\nb', 'x'.repeat(256)])(
    "that could not be asked for is the service's fault by row: %j",
    async (id) => {
      const { gateway } = await startScripted(({ path }) =>
        path.includes('?') ? pageOf([{ id }], path) : success({ id }),
      );
      const { data, errors } = await query(gateway, '{ customer(id: "ref-1") { id } customers { nodes { id } } }');
      const extensions = { code: 'UPSTREAM_INVALID_RESPONSE', row: 'customer.id', jsonPath: '/data/id' };
      expect(data).toEqual({ customer: null, customers: { nodes: [null] } });
      expect(errors).toMatchObject([{ extensions }, { extensions: { ...extensions, jsonPath: '/data/data/0/id' } }]);
    },
  );
});

describe('an identifier in an answer that may not travel in a path', () => {
  const odd = { id: 'team/c1', first_name: 'Ada', account_no: '0123456789' };
  const nested = [
    ['balance { value { amount } }', 'getCustomerBalance'],
    ['transactions { totalCount }', 'listCustomerTransactions'],
    ['virtualAccounts { totalCount }', 'listCustomerVirtualAccounts'],
  ] as const;

  it.each(nested)("keeps its text, and { %s } is the service's fault by row", async (selection, operation) => {
    const { gateway, upstream } = await startScripted(({ path }) => pageOf([odd], path));
    const { data, errors } = await query(gateway, `{ customers { nodes { id firstName ${selection} } } }`);
    expect(data.customers.nodes).toMatchObject([{ id: 'team/c1', firstName: 'Ada' }]);
    expect(errors).toMatchObject([
      { extensions: { code: 'UPSTREAM_INVALID_RESPONSE', operation, row: 'identifiers.allow' } },
    ]);
    expect(upstream.requests).toHaveLength(1);
  });

  it('is one escaped segment in the paths below it where the contract allows it', async () => {
    const { gateway, upstream } = await startScripted(
      ({ path }) => (path.startsWith('/api/v1/customers/?') ? pageOf([odd], path) : success([])),
      { contract: { 'identifiers.allow': ['/'] } },
    );
    await query(gateway, `{ customers { nodes { ${nested.map(([selection]) => selection).join(' ')} } } }`);
    const below = upstream.requests.slice(1).map(({ path }) => path.replace(/\?.*/, ''));
    const names = ['balance', 'transactions', 'virtual-accounts'];
    expect(below.toSorted()).toEqual(names.map((name) => `/api/v1/customers/team%2Fc1/${name}`));
  });

  it('is readable where the record was asked for by a reference, and in records that are never asked for by it', async () => {
    const { gateway, upstream } = await startScripted(({ path }) =>
      path.includes('/transactions')
        ? success([{ id: 'a/b?c', amount: '1.00' }])
        : success(path.endsWith('ref-1') ? { ...odd, reference: 'ref-1' } : { id: 'c1' }),
    );
    const byReference = await query(gateway, '{ customer(id: "ref-1") { id firstName } }');
    expect([byReference.data, byReference.errors]).toEqual([{ customer: { id: 'team/c1', firstName: 'Ada' } }, []]);
    expect(upstream.requests).toHaveLength(1);
    const below = await query(gateway, '{ customer(id: "c1") { transactions { nodes { id } } } }');
    expect(below.data.customer.transactions.nodes).toEqual([{ id: 'a/b?c' }]);
  });
});

interface Person {
  readonly id: string;
}

const readPerson: Read<string, Person | null> = {
  kind: 'read',
  name: 'getCustomer',
  credentials: [],
  worstCase: () => oneCall,
  request: (id) => ({ method: 'GET', path: `/people/${id}` }),
  decode: () => null,
  absent: null,
  canonical: (person) => person?.id,
};

/** A loader over one person, who answers to any name but `nobody`, and the paths that were asked. */
const startLoader = () => {
  const paths: string[] = [];
  const known = new Map<string, Person | null>([['/people/nobody', null]]);
  const loader = createLoader(async <Input, Value>(_: Read<Input, Value>, { path }: UpstreamRequest) => {
    paths.push(path);
    return (known.has(path) ? known.get(path) : { id: 'c1' }) as Value;
  });
  return { loader, paths };
};

describe('a record that was asked for by another name', () => {
  it('is known under its own id afterwards, and asked for again by any further name', async () => {
    const { loader, paths } = startLoader();
    const byReference = await loader.load(readPerson, 'ref-1');
    expect(await loader.load(readPerson, 'c1')).toBe(byReference);
    await loader.load(readPerson, 'ada@example.com');
    await loader.load(readPerson, 'ref-1');
    expect(paths).toEqual(['/people/ref-1', '/people/ada@example.com']);
  });

  it('is forgotten under its own id as well when the loader is cleared', async () => {
    const { loader, paths } = startLoader();
    await loader.load(readPerson, 'ref-1');
    loader.clear();
    await loader.load(readPerson, 'c1');
    expect(paths).toEqual(['/people/ref-1', '/people/c1']);
  });

  it('is not remembered where a write cleared the loader while it was read', async () => {
    const { loader, paths } = startLoader();
    const reading = loader.load(readPerson, 'ref-1');
    loader.clear();
    await reading;
    await loader.load(readPerson, 'c1');
    expect(paths).toEqual(['/people/ref-1', '/people/c1']);
  });

  it('that does not exist is not remembered under another name', async () => {
    const { loader, paths } = startLoader();
    expect(await loader.load(readPerson, 'nobody')).toBeNull();
    expect(await loader.load(readPerson, 'nobody')).toBeNull();
    expect(await loader.load(readPerson, 'c1')).toEqual({ id: 'c1' });
    expect(paths).toEqual(['/people/nobody', '/people/c1']);
  });
});
