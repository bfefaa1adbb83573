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
  export: {
    forms: [
      [
        'export FILE',
        'write each record of a connection of a query, all pages; FILE - : stdin',
        '--field customer.transactions, --variables JSON, --format jsonl or csv, --after CURSOR',
      ],
    ],
    note: 'Needs the credentials of a check: CHECK_BEARER or CHECK_PRIVATE_KEY or both, but at the embedded bank. Exit code 1 at the first record that cannot be read; standard error says where to continue.',
  },
} as const satisfies Readonly<Record<string, Usage>>;

export type CommandName = keyof typeof usages;

export function isCommand(name: string): name is CommandName {
  return Object.hasOwn(usages, name);
}

function optionsOf([, , options = '']: Form): readonly string[] {
  return options.match(/--[a-z]+/g) ?? [];
}

/** The fault of an option that only other forms of the command have; undefined if there is none. */
function findMisplaced(forms: readonly Form[], options: readonly string[]): string | undefined {
  const wordOf = ([form]: Form): string => form.split(' ')[1] ?? '';
  const form =
    forms.find((form) => wordOf(form) === options[0]) ??
    forms.find((form) => options.includes(wordOf(form))) ??
    forms[0];
  const names = options.map((option) => option.replace(/=.*/s, ''));
  for (const option of names) {
    const others = forms.filter((form) => optionsOf(form).includes(option)).map(([form]) => form.replace(/ FILE$/, ''));
    if (form !== undefined && others.length > 0 && !optionsOf(form).includes(option))
      return `${form[0].replace(/ FILE$/, '')} has no option ${option}, which ${others.join(' and ')} ${others.length === 1 ? 'has' : 'have'}`;
  }
  return undefined;
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

/** The fault in a command line, with the likely word; undefined if there is none. */
export function findMisuse(command: string, options: readonly string[]): string | undefined {
  if (!isCommand(command)) {
    const kind = command.startsWith('-') ? 'option' : 'command';
    const names = kind === 'option' ? ['--help', '--version'] : Object.keys(usages);
    return `There is no ${kind} ${command}; did you mean ${nearestName(command, names).name}? settlement-graph --help lists all.`;
  }
  const forms: readonly Form[] = usages[command].forms;
  const allowed = [...forms.flatMap(optionsOf), '--help', '--version'];
  const unknown = options
    .map((option) => option.replace(/=.*/s, ''))
    .find((name) => name.startsWith('-') && name !== '-' && !allowed.includes(name));
  if (unknown !== undefined) {
    return `${command} has no option ${unknown}; did you mean ${nearestName(unknown, allowed).name}? settlement-graph ${command} --help`;
  }
  const misplaced = findMisplaced(forms, options);
  if (misplaced !== undefined) return `${misplaced}: settlement-graph ${command} --help`;
  const [first = '--'] = options;
  const takesWord = forms.length > 1 || forms[0]?.[0].includes(' ') === true;
  return takesWord || first.startsWith('-')
    ? undefined
    : `${command} takes no ${options.join(' ')}: settlement-graph ${command} --help`;
}
