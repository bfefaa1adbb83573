import { auditServer } from 'graphql-http';
import { expect, it } from 'vitest';
import { startScripted } from '../support/gateway.ts';
import { success } from '../support/upstream/upstream.ts';

// The audits ask about the schema, so introspection is on in both. What is left is explained in docs/security.md.
it.each([{}, { NODE_ENV: 'production', INTROSPECTION: 'on' }])(
  'passes the GraphQL over HTTP audits, but for what is explained, with %j',
  async (environment) => {
    const { gateway } = await startScripted(() => success({ id: 'c1' }), { environment });
    const results = await auditServer({ url: `${gateway.url}/graphql` });
    const idsOf = (status: string) => results.flatMap((result) => (result.status === status ? [result.id] : [])).sort();
    expect({ error: idsOf('error'), warn: idsOf('warn'), notice: idsOf('notice') }).toEqual({
      error: [],
      warn: ['572B', '7B9B', 'FDE2'],
      notice: ['5A70', '6A70', 'D6D5'],
    });
  },
);
