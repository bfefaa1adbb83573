import { parseArgs } from 'node:util';

const timed = ['comparison', 'latency', 'start', 'memory'] as const;

export type Mode = (typeof timed)[number] | 'peers' | 'against' | 'overload' | 'executors';

export interface Options {
  /** In the order in which they run. */
  readonly modes: readonly Mode[];
  readonly rounds: number;
  /** How long each round takes; undefined for what the mode finds long enough. */
  readonly seconds: number | undefined;
  /** Text in the name of everything that is to be measured. */
  readonly only: string;
  /** The folder for CPU profiles. */
  readonly profile: string | undefined;
  /** The other checkout of the modes `against` and `overload`. */
  readonly against: string | undefined;
}

/** What a mode understands beside its name. */
const understood: Readonly<Record<Mode | 'all', readonly string[]>> = {
  comparison: ['rounds', 'seconds', 'only', 'profile'],
  latency: ['rounds', 'seconds'],
  start: ['rounds'],
  memory: ['seconds'],
  peers: ['rounds', 'seconds', 'only'],
  against: ['rounds', 'seconds', 'only'],
  overload: ['rounds', 'seconds', 'against'],
  executors: ['rounds', 'only'],
  all: ['rounds', 'seconds'],
};

/** Throws an error whose message says in one line what is wrong with the arguments. */
export function readOptions(args: readonly string[]): Options {
  const names = ['rounds', 'seconds', 'only', 'profile', 'against'] as const;
  const text = { type: 'string' } as const;
  const options = Object.fromEntries(names.map((name) => [name, text])) as Record<(typeof names)[number], typeof text>;
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
  const [asked = 'comparison', against, ...others] = positionals;
  if (!isKnown(asked) || others.length > 0 || (against !== undefined) !== (asked === 'against')) {
    const modes = Object.keys(understood).join(', ').replace('against', 'against FOLDER');
    throw new Error(`“${positionals.join(' ')}” is none of ${modes}`);
  }
  const foreign = Object.keys(values).find((name) => !understood[asked].includes(name));
  if (foreign !== undefined) {
    throw new Error(`${asked} takes ${understood[asked].map((name) => `--${name}`).join(', ')}; not --${foreign}`);
  }
  const { rounds = asked === 'overload' ? '1' : '7', seconds, only = '', profile } = values;
  return {
    modes: asked === 'all' ? timed : [asked],
    rounds: wholeNumber('rounds', rounds),
    seconds: seconds === undefined ? undefined : wholeNumber('seconds', seconds),
    only,
    profile,
    against: against ?? values.against,
  };
}

function isKnown(mode: string): mode is Mode | 'all' {
  return Object.hasOwn(understood, mode);
}

function wholeNumber(name: string, text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new Error(`--${name} is a whole number from 1 to 99999, not “${text}”`);
  return Number(text);
}
