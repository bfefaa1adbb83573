import { Client, fetchExchange, gql } from '@urql/core';
import { gatewayErrors } from 'settlement-graph/client';
import { expect, it } from 'vitest';
import { record } from '../proofs/evidence.ts';
import { answer, cells, expectedCodes, idsIn, listIn, operationsOf, type Fault } from './faulty-service.ts';
import { createCache, schema } from './urql-cache.ts';

const operations = operationsOf(schema);

/** urql with graphcache, as docs/frontends.md sets it up, over a service whose next answers can be made to fail. */
function connect() {
  let fault: Fault | undefined;
  const fetchAnswer = (_: unknown, init?: RequestInit) => {
    const { query, variables } = JSON.parse(String(init?.body)) as {
      query: string;
      variables: Record<string, unknown>;
    };
    return Promise.resolve(Response.json(answer(schema, query, variables, fault)));
  };
  const exchanges = [createCache().cache, fetchExchange];
  const client = new Client({
    url: 'http://x/',
    exchanges,
    fetch: fetchAnswer as typeof fetch,
    preferGetMethod: false,
  });
  return { client, failWith: (next?: Fault) => void (fault = next) };
}

const codesOf = (error: unknown) => new Set(gatewayErrors(error).map(({ extensions }) => extensions.code));

it('keeps codes, loaded pages and the rest of an answer in urql, whatever is null', async () => {
  let counted = 0;
  const network = { requestPolicy: 'network-only' } as const;
  for (const [operation, fault] of cells(operations)) {
    const where = [operation.name, fault];
    const { client, failWith } = connect();
    const document = gql(operation.text);
    if (operation.text.startsWith('mutation')) {
      failWith(fault);
      const { data, error } = await client.mutation(document, operation.variables);
      expect.soft([where, codesOf(error), data != null]).toEqual([where, expectedCodes(fault), true]);
    } else {
      const loaded = await client.query(document, operation.variables);
      failWith(fault);
      const after = operation.list === undefined ? {} : { after: '2' };
      const next = await client.query(document, { ...operation.variables, ...after }, network);
      expect
        .soft([where, codesOf(next.error), next.data != null || fault.at.startsWith('Query.')])
        .toEqual([where, expectedCodes(fault), true]);
      const before = idsIn(listIn(loaded.data, operation));
      const again = await client.query(document, operation.variables, { requestPolicy: 'cache-first' });
      expect.soft([where, idsIn(listIn(again.data, operation)).slice(0, before.length)]).toEqual([where, before]);
    }
    counted += 1;
  }
  record('The client kit in every state: urql', `${counted} states`);
});
