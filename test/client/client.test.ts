import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import {
  buildASTSchema,
  buildSchema,
  findBreakingChanges,
  getNamedType,
  GraphQLError,
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
  findGatewayError,
  formatMoney,
  gatewayErrors,
  isGatewayError,
  possibleTypes,
  scalars,
  typePolicies,
  unkeyedTypes,
} from '../../src/client/index.ts';
import { schemaCommand } from '../../src/commands/schema.ts';
import { createContract } from '../../src/contract/contract.ts';
import { createSchema } from '../../src/graphql/schema.ts';
import { temporaryFolder } from '../support/folder.ts';
import { query, startScripted } from '../support/gateway.ts';
import { capture } from '../support/stdout.ts';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const schema = buildASTSchema(parse(read('schema.graphql')), { assumeValidSDL: true });
const clientSchema = buildSchema(read('src/client/schema.graphql'));
const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
const objects: readonly GraphQLObjectType[] = types.filter(isObjectType);

const isConnection = (type: GraphQLOutputType) => getNamedType(type).name.endsWith('Connection');
const isRecord = (type: GraphQLOutputType) => isObjectType(type) && 'id' in type.getFields();

/** Every connection and every record at the root of a schema, with the arguments that choose its list or record. */
function cachedFieldsOf(
  schema: GraphQLSchema,
): readonly (readonly [field: string, filters: readonly string[] | false])[] {
  return Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .flatMap((type) =>
      Object.values(type.getFields())
        .filter((field) => isConnection(field.type) || (type.name === 'Query' && isRecord(field.type)))
        .map(({ name, args }) => {
          const filters = args
            .map((argument) => argument.name)
            .filter((argument) => !/^(?:first|after)$/.test(argument));
          return [`${type.name}.${name}`, filters.length === 0 ? false : filters] as const;
        }),
    );
}

describe('settlement-graph/client', () => {
  it('has a schema that says what the gateway’s says', () => {
    expect(findBreakingChanges(schema, clientSchema)).toEqual([]);
    expect(findBreakingChanges(clientSchema, schema)).toEqual([]);
    expect(clientSchema.getType('Customer')?.description).toBe(schema.getType('Customer')?.description);
    expect(read('src/client/schema.graphql')).not.toMatch(/@(?!specifiedBy|deprecated)\w+/);
  });

  it('has the schema that `schema client` prints, which adds a prefix and extra fields', async () => {
    const print = async (typePrefix: string, contractFile?: string) =>
      (await capture(() => schemaCommand(['client'], () => ({ typePrefix, contractFile }))))[1];
    expect((await print('')).trim()).toBe(read('src/client/schema.graphql').trim());
    const contractFile = join(await temporaryFolder(), 'contract.yaml');
    await writeFile(contractFile, 'version: 1\nrows:\n  extra.Customer.level: { type: String, at: [/level] }\n');
    const prefixed = buildSchema(await print('Pay', contractFile));
    expect((prefixed.getType('PayCustomer') as GraphQLObjectType).getFields()).toHaveProperty('level');
    const own = Object.values(prefixed.getTypeMap()).filter(
      (type) => isScalarType(type) && !isSpecifiedScalarType(type),
    );
    expect(own.map(({ name }) => name)).toEqual(Object.keys(scalars).map((name) => `Pay${name}`));
  });

  it.each(['', 'Settlement', 'ACMEPay'])(
    'has a policy for every list and root record under the prefix “%s”, keyed by all arguments but the window',
    (prefix) => {
      const extraFilters = { 'Customer.transactions': ['state'], 'Query.customers': ['level'] };
      const policies = Object.entries(createTypePolicies(prefix, extraFilters)).flatMap(([type, { fields = {} }]) =>
        Object.entries(fields).map(([name, { keyArgs }]) => [`${type}.${name}`, keyArgs]),
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

  it('refuses filters of what is no list, such as one named with its prefix', () => {
    expect(() => createTypePolicies('Pay', { 'PayCustomer.transactions': ['status'] })).toThrow(
      'extraFilters: found PayCustomer.transactions; allowed: Customer.transactions, Customer.virtualAccounts, ' +
        'Query.customers, Query.settlementBanks.',
    );
  });

  it('merges balances and never money', () => {
    expect(typePolicies).toMatchObject({ Balance: { merge: true }, Money: { merge: false } });
    expect(createTypePolicies('Pay')).toMatchObject({ PayBalance: { merge: true }, PayMoney: { merge: false } });
  });

  it('names the possible types of every interface and union, and every type without an identifier', () => {
    const abstract = types.filter((type) => type.astNode?.kind.match(/^(?:Interface|Union)/));
    expect(Object.keys(possibleTypes)).toEqual(abstract.map(({ name }) => name));
    const isRoot = ({ name }: GraphQLObjectType) => name === 'Query' || name === 'Mutation';
    const unkeyed = objects.filter((type) => !isRoot(type) && !('id' in type.getFields()));
    expect(new Set<string>(unkeyedTypes)).toEqual(new Set(unkeyed.map(({ name }) => name)));
  });

  it('says of every scalar of the schema that it is text', () => {
    const own = types.filter((type) => isScalarType(type) && !isSpecifiedScalarType(type));
    expect(scalars).toEqual(Object.fromEntries(own.map(({ name }) => [name, 'string'])));
  });
});

const unknown = {
  message: 'm',
  path: ['createCustomer'],
  extensions: { code: 'OUTCOME_UNKNOWN', lookup: { field: 'customers', by: ['reference'] }, requestId: 'r-1' },
};
const other = { message: 'm', extensions: { code: 'UPSTREAM_TIMEOUT' } };

describe('isGatewayError', () => {
  it.each([
    ['an answer', { data: null, errors: [other, unknown] }],
    ['what Apollo Client 4 throws', Object.assign(new Error('m'), { errors: [other, unknown] })],
    ['what Apollo Client 3 and urql hand over', Object.assign(new Error('m'), { graphQLErrors: [other, unknown] })],
    [
      'what Apollo Client 3 makes of a refused request',
      Object.assign(new Error('m'), {
        graphQLErrors: [],
        networkError: Object.assign(new Error('m'), { result: { errors: [other, unknown] } }),
      }),
    ],
    [
      'what Apollo Client 4 makes of a refused request',
      Object.assign(new Error('m'), { statusCode: 503, bodyText: JSON.stringify({ errors: [other, unknown] }) }),
    ],
    [
      'what graphql-request throws',
      Object.assign(new Error('m'), { response: { status: 200, errors: [other, unknown] } }),
    ],
  ])('finds the code in %s', (_, error) => {
    expect(isGatewayError(error)).toBe(true);
    expect(isGatewayError(error, 'OUTCOME_UNKNOWN')).toBe(true);
    expect(isGatewayError(error, 'RATE_LIMITED')).toBe(false);
    expect(findGatewayError(error, 'OUTCOME_UNKNOWN')?.extensions.lookup?.by).toEqual(['reference']);
  });

  it.each([
    ['nothing', undefined],
    ['a failed connection', new TypeError('fetch failed')],
    ['the page of a proxy', Object.assign(new Error('m'), { statusCode: 502, bodyText: '<html>' })],
    ['another code', { message: 'm', extensions: { code: 'SOMETHING_ELSE' } }],
    ['a name of every object', { message: 'm', extensions: { code: 'constructor' } }],
    ['errors without extensions', { errors: [{ message: 'm' }, null, 'OUTCOME_UNKNOWN'] }],
  ])('is not taken in by %s', (_, error) => {
    expect(isGatewayError(error)).toBe(false);
    expect(isGatewayError(error, 'OUTCOME_UNKNOWN')).toBe(false);
    expect(gatewayErrors(error)).toEqual([]);
  });

  it('knows what the gateway answers, by its request id', async () => {
    const { gateway } = await startScripted(() => ({ status: 500 }));
    for (const [document, code] of [
      ['{ customers { totalCount } }', 'UPSTREAM_UNAVAILABLE'],
      ['{ nothing }', 'GRAPHQL_VALIDATION_FAILED'],
    ] as const) {
      const answer = await query(gateway, document);
      expect(findGatewayError(answer, code)?.extensions.requestId).toBe(answer.headers.get('x-request-id'));
    }
  });
});

describe('describeError', () => {
  it('has a sentence for each code, and each asks for what the person can do', () => {
    const errors = Object.keys(errorSentences).map((code) => ({
      message: 'm',
      extensions: { code, requestId: 'r-1' },
    }));
    for (const error of errors)
      expect(describeError(error)).toMatchObject({
        sentence: expect.stringMatching(/^[A-Z].{20,90}\.$/) as unknown,
        code: error.extensions.code,
        requestId: 'r-1',
      });
  });

  it.each([
    [401, 'may not do this', false],
    [403, 'may not do this', false],
    [408, 'takes too long', true],
    [504, 'takes too long', true],
    [413, 'too much at once', false],
    [429, 'Too many requests', true],
    [503, 'Too much is going on', true],
    [502, 'not answering', true],
    [500, 'not answering', true],
    [400, 'out of date', false],
  ])(
    'describes an answer of something in between with status %d, by its request id and Retry-After',
    (status, part, canRetry) => {
      const response = new Response('<html>', { status, headers: { 'x-request-id': 'r-2', 'retry-after': '7' } });
      const withResponse = Object.assign(new Error('m'), { response });
      for (const error of [response, withResponse, { response: null, networkError: withResponse }])
        expect(describeError(error)).toMatchObject({
          sentence: expect.stringContaining(part) as unknown,
          code: undefined,
          canRetry,
          requestId: 'r-2',
          retryAfterSeconds: 7,
        });
      // Two proxies, each with a number of its own, make one header.
      for (const retryAfter of [new Date(0).toUTCString(), '7, 30']) {
        const other = new Response('', { status, headers: { 'retry-after': retryAfter } });
        expect(describeError(other).retryAfterSeconds).toBeUndefined();
      }
    },
  );

  it('tells by the first code whether and when a read may be repeated', () => {
    const passing = new Set('INVALID_CURSOR OVERLOADED RATE_LIMITED UPSTREAM_TIMEOUT UPSTREAM_UNAVAILABLE'.split(' '));
    for (const code of Object.keys(errorSentences)) {
      const first = { message: 'm', extensions: { code, retryAfterSeconds: 7 } };
      const canRetry = passing.has(code);
      expect(describeError({ errors: [first, unknown] })).toMatchObject({ code, canRetry, retryAfterSeconds: 7 });
    }
  });

  it('offers no repetition of a read that the gateway does not call retryable, such as behind a wrong certificate', () => {
    const extensions = { code: 'UPSTREAM_UNAVAILABLE', operation: 'getCustomer', retryable: false };
    expect(describeError({ errors: [{ message: 'm', extensions }] }).canRetry).toBe(false);
    expect(describeError({ errors: [{ message: 'm', extensions: { ...extensions, retryable: true } }] }).canRetry).toBe(
      true,
    );
  });

  it('asks to look up what may have been done, and tells of nothing else that it was not', () => {
    expect(errorSentences.OUTCOME_UNKNOWN).toMatch(/look it up/);
    expect(errorSentences.IDEMPOTENCY_KEY_REUSED).toMatch(/look up/);
    for (const code of ['OUTCOME_UNKNOWN', 'IDEMPOTENCY_KEY_REUSED', 'UPSTREAM_TIMEOUT'] as const)
      expect(errorSentences[code]).not.toMatch(/not done|[Nn]othing was/);
  });

  it('calls errors of a router, or of another subgraph, a failure that may not be repeated', () => {
    const entry = { message: 'm', extensions: { code: 'DOWNSTREAM_SERVICE_ERROR' } };
    const answer = { errors: [{ message: 'm' }] };
    const ofUrql = { graphQLErrors: [new GraphQLError('m')], response: new Response('{}') };
    for (const error of [entry, answer, { response: { status: 200, ...answer } }, ofUrql])
      expect(describeError(error)).toMatchObject({
        sentence: errorSentences.INTERNAL_SERVER_ERROR,
        code: undefined,
        canRetry: false,
      });
  });

  it('calls everything else an interrupted connection, in other words where they are given', () => {
    const sentence = 'The connection was interrupted.';
    const { name, message } = new TypeError('fetch failed');
    const ofOtherRealm: unknown = runInNewContext("new TypeError('fetch failed')");
    for (const error of [new TypeError(message), { name, message }, ofOtherRealm, { headers: {} }])
      expect(describeError(error)).toMatchObject({ sentence, canRetry: true, requestId: undefined });
    const french = { ...errorSentences, UPSTREAM_TIMEOUT: 'Trop long.', interrupted: 'Connexion perdue.' };
    expect(describeError(other, french).sentence).toBe('Trop long.');
    expect(describeError(new TypeError('fetch failed'), french).sentence).toBe('Connexion perdue.');
  });
});

describe('formatMoney', () => {
  it.each([
    ['500.00', 'NGN', 'en', 'NGN 500.00'],
    ['9999999999999999.99', 'USD', 'en', '$9,999,999,999,999,999.99'],
    ['-0.01', 'USD', 'en', '-$0.01'],
    ['1234', 'JPY', 'en', '¥1,234'],
    ['1.234', 'IQD', 'en', 'IQD 1.234'],
    ['1.230', 'IQD', 'en', 'IQD 1.230'],
    ['1234.5', 'EUR', 'de-DE', '1.234,5 €'],
    ['2.50', 'USD', 'en', '+$2.50', 'always'],
  ] as const)('shows every digit of %s %s in %s', (amount, currency, locale, text, sign?: 'always') => {
    expect(formatMoney({ amount, currency }, locale, sign).replaceAll(/\s/g, ' ')).toBe(text);
  });
});
