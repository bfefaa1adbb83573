/**
 * The two merchants of the embedded bank. Their credentials are public and worth nothing; they are two so that a
 * mix-up of callers shows.
 */
export const demoMerchants: readonly { readonly name: string; readonly bearer: string; readonly privateKey: string }[] =
  [
    { name: 'Demo Merchant', bearer: 'demo-token', privateKey: 'demo-key' },
    { name: 'Second Demo Merchant', bearer: 'demo-token-2', privateKey: 'demo-key-2' },
  ];

/** The header that carries each kind of credential, in lower case as Node gives it. */
export const credentialHeaders = { bearer: 'authorization', privateKey: 'svcprivatekey' } as const;

export type CredentialKind = keyof typeof credentialHeaders;

const merchantsByHeader: Readonly<Record<CredentialKind, ReadonlyMap<unknown, string>>> = {
  bearer: new Map(demoMerchants.map(({ name, bearer }) => [`Bearer ${bearer}`, name])),
  privateKey: new Map(demoMerchants.map(({ name, privateKey }) => [privateKey, name])),
};

/** The name of the merchant whose credential a header's value is; undefined for an absent or unknown one. */
export const findMerchant = (kind: CredentialKind, value: string | readonly string[] | undefined): string | undefined =>
  merchantsByHeader[kind].get(value);
