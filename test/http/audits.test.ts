import { auditServer } from 'graphql-http';
import { expect, it } from 'vitest';
import { startScripted } from '../support/gateway.ts';
import { success } from '../support/upstream.ts';

/** What is left is explained in docs/security.md, one by one. */
const explained = {
  warn: [
    '572B SHOULD use 200 status code on document parsing failure when accepting application/json',
    '7B9B SHOULD use a status code of 200 on variable coercion failure when accepting application/json',
    'FDE2 SHOULD use 200 status code on document validation failure when accepting application/json',
  ],
  notice: [
    '5A70 MAY accept application/x-www-form-urlencoded formatted GET requests',
    '6A70 MAY allow URL-encoded JSON string {variables} parameter in GETs when accepting application/json',
    'D6D5 MAY allow URL-encoded JSON string {variables} parameter in GETs when accepting application/graphql-response+json',
  ],
};

// The audits ask about the schema, so introspection is on in both.
it.each([
  ['development', {}],
  ['production', { NODE_ENV: 'production', INTROSPECTION: 'on' }],
])('passes the GraphQL over HTTP audits in %s, but for what is explained', async (name, environment) => {
  const { gateway } = await startScripted(() => success({ id: 'c1' }), { environment });
  const results = await auditServer({ url: `${gateway.url}/graphql` });
  const named = (status: string) =>
    results.filter((result) => result.status === status).map(({ id, name: audit }) => `${id} ${audit}`);
  const counts = ['ok', 'notice', 'warn', 'error'].map((status) => `${named(status).length} ${status}`);
  console.info(`GraphQL over HTTP audits in ${name}: ${counts.join(', ')}`);
  expect(named('error')).toEqual([]);
  expect({ warn: named('warn').sort(), notice: named('notice').sort() }).toEqual(explained);
});
