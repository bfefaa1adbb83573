import { nearestName } from '../runtime/nearest-name.ts';

/** A command line, what it does, and its options as the help shows them, beside `--help` and `--version`. */
type Form = readonly [form: string, does: string, options?: string];

interface Usage {
  readonly forms: readonly Form[];
  /** Further help, printed below the forms. */
  readonly note: string;
}

const settings = 'Settings are environment variables: docs/configuration.md. All faults are reported together.';

const scenarios = '--scenario, as BANK_SCENARIO: lost-answer, duplicate, slow, down or rate-limited.';

const usages = {
  serve: {
    forms: [
      ['serve', 'start the gateway, and the embedded bank unless UPSTREAM_URL names a service', '--scenario NAME'],
    ],
    note: `${settings} Ends on SIGTERM after a drain; exit code 1 where it cannot start. ${scenarios}`,
  },
  bank: {
    forms: [['bank', 'start the embedded bank alone', '--scenario NAME']],
    note: `Settings are BANK_PORT and BANK_DATABASE. ${scenarios}`,
  },
  schema: {
    forms: [
      ['schema', "print the subgraph's SDL"],
      ['schema client', 'print the schema that frontends generate types from'],
      ['schema check', 'compare schema.graphql with that of the last release: exit code 1 on a breaking change'],
      ['schema release', "record schema.graphql as the last release's, under package.json's version (in a clone)"],
    ],
    note: 'TYPE_PREFIX renames what is printed.',
  },
  explain: {
    forms: [
      [
        'explain FILE',
        'print the calls that an operation needs at worst, without making one; FILE - : stdin',
        '--variables JSON, --operation NAME, --json',
      ],
    ],
    note: 'Exit code 1 if the operation needs more than MAX_UPSTREAM_CALLS, 2 where it cannot be explained.',
  },
  contract: {
    forms: [
      ['contract', 'print the contract in force, row by row', '--json, --schema of its overrides'],
      ['contract check', 'compare the contract with the live service, read-only', '--json, --write FILE, --cases FILE'],
      [
        'contract try FILE',
        'show what the gateway reads from a saved answer; FILE - : stdin',
        '--operation NAME, --status, --input JSON, --id, --values, --json',
      ],
      [
        'contract test FILE',
        'run the cases of a file, without a service: saved answers and what must be read from them',
        '--json',
      ],
      [
        'contract import FILE',
        'make overrides from an OpenAPI file or a Postman collection, without a call',
        "--map OPERATION='METHOD /path', --json, --verbose, --write FILE, --cases FILE",
      ],
    ],
    note: 'A check needs UPSTREAM_URL, and CHECK_BEARER or CHECK_PRIVATE_KEY or both; exit code 1 on contradictions or a failed case, 2 where it cannot run.',
  },
  init: {
    forms: [
      [
        'init',
        "write contract.yaml, .env.example and compose.yaml from a vendor's file, or a check",
        '--file, --map, --url, --header, --unit, --currency, --yes, --force',
      ],
    ],
    note: 'Asks for what no option says; --yes asks nothing. Checks the service where CHECK_BEARER or CHECK_PRIVATE_KEY is set. No secret is written.',
  },
} as const satisfies Readonly<Record<string, Usage>>;

export type CommandName = keyof typeof usages;

export function isCommand(name: string): name is CommandName {
  return Object.hasOwn(usages, name);
}

/** The help of one command, or of all. */
export function toHelp(command?: CommandName): string {
  const chosen: readonly Usage[] = command === undefined ? Object.values(usages) : [usages[command]];
  const lines = chosen.flatMap(({ forms }) =>
    forms.map(
      ([form, does, options]) =>
        `settlement-graph ${form.padEnd(20)} ${does}${options === undefined ? '' : ` (${options})`}`,
    ),
  );
  const note = command === undefined ? `${settings} Every command has --help and --version.` : usages[command].note;
  return `${lines.join('\n')}\n\n${note}\n`;
}

/** What is said of a word that is no command, with the likely one. */
export function describeMisuse(command: string): string {
  const kind = command.startsWith('-') ? 'option' : 'command';
  const names = kind === 'option' ? ['--help', '--version'] : Object.keys(usages);
  return `There is no ${kind} ${command}; did you mean ${nearestName(command, names).name}? settlement-graph --help lists all.`;
}
