import { execute, parse, validate, type ExecutionResult, type OperationDefinitionNode } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createContextFactory } from '../../src/graphql/context.ts';
import { GatewayError } from '../../src/domain/errors.ts';
import { createExecutor, type Executor } from '../../src/graphql/execution/planned-executor.ts';
import { createSchema } from '../../src/graphql/schema.ts';
import type { Caller } from '../../src/upstream/calls/read.ts';
import { createContract } from '../../src/contract/contract.ts';
import { createOperations } from '../../src/upstream/operations.ts';
import { passTraceOn } from '../../src/upstream/wire/trace-context.ts';
import { generateQuery } from '../support/generated-queries.ts';

const count = 3_000;
const schema = createSchema('');
const operations = createOperations(createContract({ 'money.unit': 'major', 'money.currency': 'NGN' }));

const good = {
  id: 'c1',
  first_name: 'Ada',
  date_of_birth: '1990-01-01',
  created_at: '2026-01-01T00:00:00Z',
  balance: '5.00',
};
const odd = {
  id: 'c2',
  first_name: { a: 1 },
  date_of_birth: 5,
  created_at: 'soon',
  balance: 'much',
  amount: '1.234',
  type: [],
};
const records = [good, odd, 7, { first_name: 'without an id' }, { ...good, id: 'c5', amount: '-3.50', type: 'credit' }];
const page = { current_page: 1, data: records, last_page: 1, per_page: 20, total: records.length };

/** What the service says at a path: records whole and broken, lists of both, one that fails and one that is not there. */
function bodyAt(path: string): unknown {
  const answers: readonly (readonly [RegExp, unknown])[] = [
    [/c3/, undefined],
    [/\/balance$/, path.includes('c2') ? odd : good],
    [/\/(?:transactions|virtual-accounts)|\/(?:customers|settlement-banks)\/(?:\?|$)/, page],
    [/\/(?:c2|b2)$/, odd],
    [/\/c4$/, null],
    [/./, good],
  ];
  return answers.find(([pattern]) => pattern.test(path))?.[1];
}

const caller: Caller = {
  read: async (operation, request) => {
    const data = bodyAt(request.path);
    if (data === undefined) throw new GatewayError('UPSTREAM_TIMEOUT', { operation: operation.name, retryable: true });
    if (data === null && operation.absent !== undefined) return operation.absent;
    return operation.decode({ success: true, data });
  },
  write: () => Promise.reject(new Error('no query writes')),
};

const contextFor = createContextFactory({
  operations,
  caller,
  identify: () => ({ name: 'caller', callers: new Map() }),
  startTrace: passTraceOn,
  bearerHeader: 'authorization',
  privateKeyHeader: 'svcprivatekey',
  requestTimeoutMs: 60_000,
});

const variables = {
  no: false,
  representations: [
    { __typename: 'Customer', id: 'c1' },
    { __typename: 'Customer', id: 'c4' },
    { __typename: 'SettlementBank', id: 'b2' },
    { __typename: 'Customer', id: 'c1' },
  ],
};

/** Runs something with a context of its own, which ends with it. */
async function withContext<Value>(
  run: (context: ReturnType<typeof contextFor>) => Promise<Value> | Value,
): Promise<Value> {
  const context = contextFor({ requestId: 'r', headers: () => undefined });
  const value = await run(context);
  context.end();
  return value;
}

/** What a client can tell apart: the data with the order of its fields, and each error's place, message and code. */
function told({ data, errors = [] }: ExecutionResult) {
  const seen = errors.map(({ path, message, locations, originalError }) =>
    JSON.stringify([path, message, locations, originalError instanceof GatewayError && originalError.code]),
  );
  return { data: JSON.stringify(data), errors: seen.toSorted() };
}

const never = Number.POSITIVE_INFINITY;
/** Objects that get code of their own at once, and ones that never do. */
const executors = { 'in code of its own': createExecutor(schema, 1), 'as it stands': createExecutor(schema, never) };

async function answersTo(document: string, planned: Executor) {
  const parsed = parse(document);
  const operation = parsed.definitions[0] as OperationDefinitionNode; // generated so
  const byPlan = await withContext((context) => planned({ document: parsed, operation, variables, context }));
  const byGraphql = await withContext((contextValue) =>
    execute({ schema, document: parsed, contextValue, variableValues: variables, operationName: 'Q' }),
  );
  return { invalid: validate(schema, parsed), byPlan: told(byPlan ?? {}), byGraphql: told(byGraphql) };
}

describe.each(Object.entries(executors))('a query run by its plan %s', (_, planned) => {
  it(`answers as graphql-js does, for ${count} generated queries`, async () => {
    let valid = 0;
    let withErrors = 0;
    for (let seed = 1; seed <= count; seed += 1) {
      const document = generateQuery(schema, seed);
      const { invalid, byPlan, byGraphql } = await answersTo(document, planned);
      valid += Number(invalid.length === 0);
      withErrors += Number(byGraphql.errors.length > 0);
      expect({ document, ...byPlan }).toEqual({ document, ...byGraphql });
    }
    expect(valid).toBe(count);
    expect(withErrors).toBeGreaterThan(count / 2);
  }, 60_000);
});
