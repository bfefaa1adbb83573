import { readFileSync } from 'node:fs';

/** The version of this package; package.json lies beside both src and the compiled dist. */
export const version = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { readonly version: string }
).version; // npm requires one
