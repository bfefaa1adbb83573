/** Demo merchants with public credentials; there are two so that tests can detect a mix-up of callers. */
export const demoMerchants = [
  { name: 'Demo Merchant', bearer: 'demo-token', privateKey: 'demo-key' },
  { name: 'Second Demo Merchant', bearer: 'demo-token-2', privateKey: 'demo-key-2' },
] as const;

/** Header names in lower case, as Node reports them. */
export const credentialHeaders = { bearer: 'authorization', privateKey: 'svcprivatekey' } as const;

export type CredentialKind = keyof typeof credentialHeaders;

/** The name of the merchant with this credential; undefined where it is absent or unknown. */
export const findMerchant = (kind: CredentialKind, value: string | readonly string[] | undefined): string | undefined =>
  demoMerchants.find(({ bearer, privateKey }) => value === (kind === 'bearer' ? `Bearer ${bearer}` : privateKey))?.name;
