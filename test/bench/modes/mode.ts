import type { SendLoad } from '../load.ts';
import type { Options } from '../options.ts';

/** What a mode is given. The programs that it starts are ended after it. */
export interface Bench {
  /** Holds the upstream's answers, and takes the programs' output. */
  readonly folder: string;
  readonly send: SendLoad;
  readonly options: Options;
}

/** What `--only` names; the end where it names nothing. */
export function selectNamed<Named extends { readonly name: string }>(
  all: readonly Named[],
  only: string,
): readonly Named[] {
  const selected = all.filter(({ name }) => name.includes(only));
  if (selected.length > 0) return selected;
  console.error(`bench: --only “${only}” is in none of ${all.map(({ name }) => `“${name}”`).join(', ')}`);
  return process.exit(2);
}
