import * as rules from '../config/rules.ts';

/**
 * Rules for values of `.env.example`. Shells, Compose and Docker read that file, each with quotes and variables of its
 * own, so a value may have only characters that mean nothing to any of them.
 */
export const plainUrl = rules.upstream
  .transform((url) => (url === 'embedded' ? url : url.href.replace(/\/$/, '')))
  .refine((url) => /^https?:\/\/[\w.:[\]-]+(?:\/[\w./~%-]*)?$/.test(url), {
    error: 'allowed: an http or https address without credentials and query, of letters, digits and ./~%-_ only',
  });

export const plainHeader = rules.header.refine((name) => /^[\w.-]+$/.test(name), {
  error: 'allowed: the name of a header, of letters, digits and .-_ only',
});

export function toEnvironmentFile(url: string, header: string): string {
  return `UPSTREAM_URL=${url}\nUPSTREAM_CONTRACT=contract.yaml\nPRIVATE_KEY_HEADER=${header}\n`;
}
