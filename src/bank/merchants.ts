/** Demo merchants with public credentials; there are two so that tests can detect a mix-up of callers. */
export const demoMerchants = [
  { name: 'Demo Merchant', bearer: 'demo-token', privateKey: 'demo-key' },
  { name: 'Second Demo Merchant', bearer: 'demo-token-2', privateKey: 'demo-key-2' },
] as const;

/** Header names in lower case, as Node reports them. */
export const credentialHeaders = { bearer: 'authorization', privateKey: 'svcprivatekey' } as const;

export type CredentialKind = keyof typeof credentialHeaders;

const merchantsByHeader: Readonly<Record<CredentialKind, ReadonlyMap<unknown, string>>> = {
  bearer: new Map(demoMerchants.map(({ name, bearer }) => [`Bearer ${bearer}`, name])),
  privateKey: new Map(demoMerchants.map(({ name, privateKey }) => [privateKey, name])),
};

/** The name of the merchant with this credential; undefined where it is absent or unknown. */
export const findMerchant = (kind: CredentialKind, value: string | readonly string[] | undefined): string | undefined =>
  merchantsByHeader[kind].get(value);
