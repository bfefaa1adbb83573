import { createCustomer, numbered } from './create.ts';
import { startScripted } from './gateway.ts';
import { toldOf } from '../proofs/stores/keyed.ts';
import type { Reply } from './upstream/upstream.ts';

/** A customer's values; obviously fake, and nowhere else. */
export const identity = {
  firstName: 'Plantedfirst',
  lastName: 'Plantedlast',
  nin: '98765432101',
  bvn: '22233344455',
  dateOfBirth: '1987-06-05',
  phone: '+2348099887766',
  email: 'planted.person@example.com',
  reference: 'planted-reference',
  type: 'planted-type',
  collectionWalletId: 'planted-wallet',
};

/** The credentials that come with them. */
export const plantedHeaders = { authorization: 'Bearer planted-token-value', svcprivatekey: 'planted-private-key' };

/** The same credentials, and the keys of the creates. */
export const plantedSecrets = ['planted-token-value', 'planted-private-key', 'planted-done-key', 'planted-unknown-key'];

/** Creates the customer twice: once it is answered with all of its values, once it is cut. */
export async function plantIdentity(environment: Readonly<Record<string, string>>) {
  const answer = numbered();
  let count = 0;
  const { gateway } = await startScripted(
    (request): Reply => {
      count += 1;
      return count === 1 ? answer(request) : { cut: true };
    },
    { environment },
  );
  const create = async (key: string) =>
    toldOf(await createCustomer(gateway, { key, input: identity, headers: plantedHeaders }));
  return { gateway, told: [await create('planted-done-key'), await create('planted-unknown-key')] };
}
