import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import {
  buildASTSchema,
  buildSchema,
  findBreakingChanges,
  getNamedType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  parse,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import {
  createTypePolicies,
  describeError,
  errorSentences,
  fieldErrors,
  findGatewayError,
  formatMoney,
  gatewayErrors,
  isGatewayError,
  possibleTypes,
  scalars,
  typePolicies,
  unkeyedTypes,
} from '../../src/client/index.ts';
import { lookUp } from '../../src/client/look-up.ts';
import { schemaCommand } from '../../src/commands/schema.ts';
import { readCommandLine } from '../../src/commands/usage.ts';
import { createContract } from '../../src/contract/contract.ts';
import { createSchema } from '../../src/graphql/schema.ts';
import { temporaryFolder } from '../support/folder.ts';
import { query, startScripted } from '../support/gateway.ts';
import { capture } from '../support/stdout.ts';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const schema = buildASTSchema(parse(read('schema.graphql')), { assumeValidSDL: true });
const clientSchema = buildSchema(read('src/client/schema.graphql'));
const typesOf = (of: GraphQLSchema) => Object.values(of.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
const ownScalarsOf = (of: GraphQLSchema) =>
  typesOf(of).flatMap((type) => (isScalarType(type) && !isSpecifiedScalarType(type) ? [type.name] : []));

const isConnection = (type: GraphQLOutputType) => getNamedType(type).name.endsWith('Connection');
const isRecord = (type: GraphQLOutputType) => isObjectType(type) && 'id' in type.getFields();

/** Every connection and every record at the root of a schema, with the arguments that choose its list or record. */
const cachedFieldsOf = (of: GraphQLSchema) =>
  typesOf(of)
    .filter(isObjectType)
    .flatMap((type) =>
      Object.values(type.getFields())
        .filter((field) => isConnection(field.type) || (type.name === 'Query' && isRecord(field.type)))
        .map(({ name, args }) => {
          const filters = args.map((argument) => argument.name).filter((filter) => !/^(?:first|after)$/.test(filter));
          return [`${type.name}.${name}`, filters.length === 0 ? false : filters.toSorted()] as const;
        }),
    );

describe('settlement-graph/client', () => {
  it('has the schema of the gateway, as `schema client` prints it, which adds a prefix and extra fields', async () => {
    expect([findBreakingChanges(schema, clientSchema), findBreakingChanges(clientSchema, schema)]).toEqual([[], []]);
    expect(read('src/client/schema.graphql')).not.toMatch(/@(?!specifiedBy|deprecated)\w+/);
    const print = async (typePrefix: string, contractFile?: string) =>
      (
        await capture(() => schemaCommand(readCommandLine(['schema', 'client']), () => ({ typePrefix, contractFile })))
      )[1];
    expect((await print('')).trim()).toBe(read('src/client/schema.graphql').trim());
    const contractFile = join(await temporaryFolder(), 'contract.yaml');
    await writeFile(contractFile, 'version: 1\nrows:\n  extra.Customer.level: { type: String, at: [/level] }\n');
    const prefixed = buildSchema(await print('Pay', contractFile));
    expect((prefixed.getType('PayCustomer') as GraphQLObjectType).getFields()).toHaveProperty('level');
    expect(ownScalarsOf(prefixed)).toEqual(Object.keys(scalars).map((name) => `Pay${name}`));
    expect(scalars).toEqual(Object.fromEntries(ownScalarsOf(schema).map((name) => [name, 'string'])));
  });

  it.each(['', 'ACMEPay'])(
    'has a policy for every list and root record under the prefix “%s”, keyed by all arguments but the window',
    (prefix) => {
      const extraFilters = { 'Customer.transactions': ['state'], 'Query.customers': ['level'] };
      const policies = Object.entries(createTypePolicies(prefix, extraFilters)).flatMap(([type, { fields = {} }]) =>
        Object.entries(fields).map(([name, { keyArgs }]) => [`${type}.${name}`, keyArgs && [...keyArgs].toSorted()]),
      );
      const contract = createContract({
        'extra.Customer.transactions.state': { wire: 'state', matches: '/status' },
        'extra.Query.customers.level': { wire: 'level', matches: '/level' },
      });
      const fields = cachedFieldsOf(createSchema(prefix, contract));
      expect(fields).toHaveLength(6);
      expect(Object.fromEntries(policies)).toEqual(Object.fromEntries(fields));
    },
  );

  it('merges balances and never money, and refuses filters of what is no list', () => {
    expect(typePolicies).toMatchObject({ Balance: { merge: true }, Money: { merge: false } });
    expect(createTypePolicies('Pay')).toMatchObject({ PayBalance: { merge: true }, PayMoney: { merge: false } });
    expect(() => createTypePolicies('Pay', { 'PayCustomer.transactions': ['status'] })).toThrow(
      'extraFilters: found PayCustomer.transactions; allowed: Customer.transactions, Customer.virtualAccounts, ' +
        'Query.customers, Query.settlementBanks.',
    );
  });

  it('keeps the total of a list over a page that has none', () => {
    const merge = typePolicies['Query']?.fields?.['customers']?.merge;
    const page = (totalCount: number | null, node: number) => ({
      totalCount,
      nodes: [node],
      pageInfo: { endCursor: 'c' },
    });
    const first = merge?.(undefined, page(64, 1), { args: {}, storage: {} });
    const both = merge?.(first, page(null, 2), { args: { after: 'c' }, storage: {} });
    expect(both).toMatchObject({ totalCount: 64, nodes: [1, 2] });
  });

  it('names the possible types of every interface and union, and every type without an identifier', () => {
    const types = typesOf(schema);
    const abstract = types.filter((type) => type.astNode?.kind.match(/^(?:Interface|Union)/));
    expect(Object.keys(possibleTypes)).toEqual(abstract.map(({ name }) => name));
    const unkeyed = types.filter(
      (type) => isObjectType(type) && !isRecord(type) && !/^(?:Query|Mutation)$/.test(type.name),
    );
    expect(new Set<string>(unkeyedTypes)).toEqual(new Set(unkeyed.map(({ name }) => name)));
  });
});

const unknown = {
  message: 'm',
  path: ['createCustomer'],
  extensions: { code: 'OUTCOME_UNKNOWN', lookup: { field: 'customers', by: ['reference'] }, requestId: 'r-1' },
};
const other = { message: 'm', extensions: { code: 'UPSTREAM_TIMEOUT' } };
const errors = [other, unknown];
const thrown = (more: object) => Object.assign(new Error('m'), more);

describe('isGatewayError', () => {
  it.each([
    ['an answer', { data: null, errors }],
    ['what Apollo Client 4 throws', thrown({ errors })],
    ['what Apollo Client 3 and urql hand over', thrown({ graphQLErrors: errors })],
    [
      'what Apollo Client 3 makes of a refused request',
      thrown({ graphQLErrors: [], networkError: thrown({ result: { errors } }) }),
    ],
    [
      'what Apollo Client 4 makes of a refused request',
      thrown({ statusCode: 503, bodyText: JSON.stringify({ errors }) }),
    ],
    ['what graphql-request throws', thrown({ response: { status: 200, errors } })],
  ])('finds the code in %s', (_, error) => {
    const found = [
      isGatewayError(error),
      isGatewayError(error, 'OUTCOME_UNKNOWN'),
      isGatewayError(error, 'RATE_LIMITED'),
    ];
    expect(found).toEqual([true, true, false]);
    expect(findGatewayError(error, 'OUTCOME_UNKNOWN')?.extensions.lookup?.by).toEqual(['reference']);
  });

  it.each([
    ['nothing', undefined],
    ['a failed connection', new TypeError('fetch failed')],
    ['the page of a proxy', thrown({ statusCode: 502, bodyText: '<html>' })],
    ['a name of every object', { message: 'm', extensions: { code: 'constructor' } }],
    ['errors without extensions', { errors: [{ message: 'm' }, null, 'OUTCOME_UNKNOWN'] }],
  ])('is not taken in by %s', (_, error) => {
    expect([isGatewayError(error), gatewayErrors(error)]).toEqual([false, []]);
  });

  it('knows what the gateway answers, by its request id', async () => {
    const { gateway } = await startScripted(() => ({ status: 500 }));
    const answer = await query(gateway, '{ customers { totalCount } }');
    const found = findGatewayError(answer, 'UPSTREAM_UNAVAILABLE');
    expect(found?.extensions.requestId).toBe(answer.headers.get('x-request-id'));
  });
});

describe('describeError', () => {
  it.each(Object.keys(errorSentences))('has a sentence for %s, and says whether a read may be repeated', (code) => {
    const passing = /^(?:INVALID_CURSOR|OVERLOADED|RATE_LIMITED|UPSTREAM_TIMEOUT|UPSTREAM_UNAVAILABLE)$/;
    const first = { message: 'm', extensions: { code, requestId: 'r-1', retryAfterSeconds: 7 } };
    expect(describeError({ errors: [first, unknown] })).toEqual({
      sentence: expect.stringMatching(/^[A-Z].{20,90}\.$/) as string,
      code,
      requestId: 'r-1',
      canRetry: passing.test(code),
      retryAfterSeconds: 7,
    });
    const wrong = { ...first, extensions: { ...first.extensions, retryable: false } };
    expect(describeError(wrong).canRetry && code !== 'INVALID_CURSOR').toBe(false);
  });

  it('asks to look up what may have been done, and tells of nothing else that it was not', () => {
    expect(errorSentences.OUTCOME_UNKNOWN).toMatch(/look it up/);
    expect(errorSentences.IDEMPOTENCY_KEY_REUSED).toMatch(/look up/);
    for (const code of ['OUTCOME_UNKNOWN', 'IDEMPOTENCY_KEY_REUSED', 'UPSTREAM_TIMEOUT'] as const)
      expect(errorSentences[code]).not.toMatch(/not done|[Nn]othing was/);
  });

  it.each([
    [403, 'may not do this', false],
    [504, 'takes too long', true],
    [413, 'too much at once', false],
    [429, 'Too many requests', true],
    [503, 'Too much is going on', true],
    [502, 'not answering', true],
    [400, 'out of date', false],
  ])(
    'describes an answer of something in between with status %d, by its request id and Retry-After',
    (status, part, canRetry) => {
      const response = new Response('<html>', { status, headers: { 'x-request-id': 'r-2', 'retry-after': '7' } });
      for (const error of [response, thrown({ response }), { response: null, networkError: thrown({ response }) }])
        expect(describeError(error)).toMatchObject({
          sentence: expect.stringContaining(part) as unknown,
          code: undefined,
          canRetry,
          requestId: 'r-2',
          retryAfterSeconds: 7,
        });
      // Two proxies, each with a number of its own, make one header.
      const twice = new Response('', { status, headers: { 'retry-after': '7, 30' } });
      expect(describeError(twice).retryAfterSeconds).toBeUndefined();
    },
  );

  it('calls errors of a router, or of another subgraph, a failure that may not be repeated', () => {
    const entry = { message: 'm', extensions: { code: 'DOWNSTREAM_SERVICE_ERROR' } };
    const answer = { errors: [{ message: 'm' }] };
    const sentence = errorSentences.INTERNAL_SERVER_ERROR;
    for (const error of [entry, answer, { response: { status: 200, ...answer } }])
      expect(describeError(error)).toMatchObject({ sentence, code: undefined, canRetry: false });
  });

  it('says of no error that something was not loaded, and of an outcome without a look-up that there is none', () => {
    for (const error of [undefined, null])
      expect(describeError(error)).toMatchObject({
        sentence: 'This could not be loaded.',
        code: undefined,
        canRetry: true,
      });
    const entry = { message: 'm', extensions: { code: 'OUTCOME_UNKNOWN' } };
    expect(describeError(entry)).toMatchObject({ sentence: expect.stringContaining('cannot be looked up') as unknown });
    expect(describeError(unknown)).toMatchObject({ sentence: errorSentences.OUTCOME_UNKNOWN });
    expect(describeError(entry, { ...errorSentences, noLookup: 'Perdu.' }).sentence).toBe('Perdu.');
  });

  it('calls everything else an interrupted connection, in other words where they are given', () => {
    const { name, message } = new TypeError('fetch failed');
    const ofOtherRealm: unknown = runInNewContext("new TypeError('fetch failed')");
    for (const error of [new TypeError(message), { name, message }, ofOtherRealm, { headers: {} }])
      expect(describeError(error)).toMatchObject({ sentence: 'The connection was interrupted.', canRetry: true });
    const french = { ...errorSentences, UPSTREAM_TIMEOUT: 'Trop long.', interrupted: 'Connexion perdue.' };
    const sentences = [other, new TypeError(message)].map((error) => describeError(error, french).sentence);
    expect(sentences).toEqual(['Trop long.', 'Connexion perdue.']);
  });
});

it('fieldErrors sorts refusals by the inputs of a form, and leaves none out', () => {
  const refusals = [
    { field: ['input', 'nin'], message: 'Must be 11 digits.' },
    { field: ['input', 'nin'], message: 'Is taken.' },
    { field: ['input', 'type'], message: 'Is required.' },
    { field: null, message: 'No.' },
  ];
  expect(fieldErrors(refusals, ['email', 'nin'])).toEqual({
    fields: { nin: 'Must be 11 digits. Is taken.' },
    others: ['Is required.', 'No.'],
  });
});

describe('lookUp', () => {
  const page = (references: readonly (string | null)[], endCursor: string | null = null) => ({
    list: {
      nodes: references.map((reference) => (reference === '' ? null : { id: `of ${reference}`, reference })),
      pageInfo: { hasNextPage: endCursor !== null, endCursor },
    },
  });
  const broken = new TypeError('fetch failed');
  const found = { is: 'found', record: { id: 'of ref-1', reference: 'ref-1' } };
  const unclear = { is: 'unclear', error: undefined };

  it.each([
    [
      'finds the very same value, behind unreadable records and pages',
      [page(['ref-10', ''], 'a'), page(['ref-1'])],
      found,
    ],
    ['misses what no record of the whole list has', [page(['ref-10'], 'a'), page(['REF-1'])], { is: 'missing' }],
    ['draws no conclusion from a list with an unreadable record', [page(['ref-2', ''])], unclear],
    ['draws none from a record without the value', [page(['ref-2', null])], unclear],
    [
      'draws none from a page that failed',
      [page([], 'a'), { list: null, error: broken }],
      { is: 'unclear', error: broken },
    ],
    ['draws none from a page that was not answered', [page([], 'a'), broken], { is: 'unclear', error: broken }],
    ['draws none from a list that goes on and on', Array<object>(60).fill(page([], 'a')), unclear],
  ])('%s', async (_, pages, expected) => {
    const cursors: (string | null)[] = [];
    const result = await lookUp<{ readonly id: string; readonly reference: string | null }>(
      { reference: 'ref-1' },
      async (after) => {
        const answer = pages[cursors.push(after) - 1];
        if (answer instanceof Error) throw answer;
        return answer as ReturnType<typeof page>; // what no error is
      },
    );
    expect(result).toEqual(expected);
    expect(cursors.slice(0, 2)).toEqual([null, 'a'].slice(0, cursors.length));
    expect(cursors.length).toBeLessThanOrEqual(50);
  });

  it('reads nothing where there is nothing to look for', async () => {
    expect(await lookUp({}, () => Promise.reject(broken))).toEqual(unclear);
  });
});

it.each([
  ['500.00', 'NGN', 'en', 'NGN 500.00'],
  ['9999999999999999.99', 'USD', 'en', '$9,999,999,999,999,999.99'],
  ['-0.01', 'USD', 'en', '-$0.01'],
  ['1234', 'JPY', 'en', '¥1,234'],
  ['1.230', 'IQD', 'en', 'IQD 1.230'],
  ['1234.5', 'EUR', 'de-DE', '1.234,5 €'],
  ['2.50', 'USD', 'en', '+$2.50', 'always'],
  ['five', 'NGN', 'en', 'five NGN'],
  ['5,000', 'NGN', 'en', '5,000 NGN'],
  ['', 'NGN', 'en', ' NGN'],
  ['5.00', 'USDT', 'en', '5.00 USDT'],
] as const)('formatMoney shows every digit of %s %s in %s', (amount, currency, locale, text, sign?: 'always') => {
  expect(formatMoney({ amount, currency }, locale, sign).replaceAll(/\s/g, ' ')).toBe(text);
});
