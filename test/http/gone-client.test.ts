import { expect, it } from 'vitest';
import { startGated } from '../support/create.ts';
import { codes, query } from '../support/gateway.ts';
import { askAndLeave } from '../support/http.ts';

const create = (firstName: string) =>
  `mutation { createCustomer(input: { firstName: "${firstName}" }) { customer { id } } }`;

it('never sends a write that waited for a socket once its client has gone', async () => {
  const environment = { UPSTREAM_CONNECTIONS: '1', REQUEST_TIMEOUT_MS: '5000', UPSTREAM_TIMEOUT_MS: '600' };
  const { gateway, upstream, gate } = await startGated({ environment });
  const first = query(gateway, create('first'));
  await gate.reached;
  const leaving = new AbortController();
  const gone = askAndLeave(gateway, create('gone'), leaving.signal);
  // A request of its own that is answered shows that the one before has been taken in.
  await query(gateway, '{ __typename }');
  leaving.abort();
  expect(await gone).toBe('AbortError');
  expect(codes(await first)).toEqual(['OUTCOME_UNKNOWN']);
  await gateway.close();
  expect(upstream.requests).toHaveLength(1);
});
