import { parseArgs, styleText } from 'node:util';
import { variables } from '../config/variables.ts';
import { nearestName } from '../runtime/nearest-name.ts';

/** Every option: the name of its value, empty for a switch, and what it does. */
const options = {
  port: ['NUMBER', 'listens there, in place of PORT; 0: any free port'],
  host: ['ADDRESS', 'listens there, in place of HOST'],
  scenario: ['NAME', 'starts the bank with a fault: lost-answer, duplicate, slow, down, rate-limited'],
  variables: ['JSON', "the operation's variables"],
  operation: ['NAME', 'the operation that is meant'],
  status: ['NUMBER', "the answer's HTTP status"],
  input: ['JSON', "what was sent, by the graph's names"],
  id: ['ID', 'the identifier that was asked for'],
  values: ['', 'shows values, which may be personal data'],
  file: ['FILE', 'the OpenAPI file or Postman collection'],
  map: ["OPERATION='METHOD /path'", 'says which endpoint an operation is; may be repeated'],
  url: ['URL', "the service's base URL"],
  header: ['NAME', "the private key's header"],
  unit: ['UNIT', 'of amounts: major or minor'],
  currency: ['CODE', 'by ISO 4217, such as NGN'],
  yes: ['', 'asks nothing'],
  force: ['', 'overwrites files'],
  json: ['', 'prints JSON'],
  schema: ['', 'prints the JSON Schema of contract files'],
  verbose: ['', 'shows what the counts count'],
  write: ['FILE', 'writes the rows to a contract file'],
  cases: ['FILE', 'writes the answers as cases for contract test'],
  field: ['PATH', 'the connection, such as customer.transactions'],
  format: ['FORMAT', 'jsonl (default) or csv'],
  after: ['CURSOR', 'goes on behind it, as an interrupted export says'],
} as const satisfies Readonly<Record<string, readonly [value: string, does: string]>>;

type OptionName = keyof typeof options;

/** Options that replace a variable. */
const variableOf = { port: 'PORT', host: 'HOST', scenario: 'BANK_SCENARIO' } as const;

/** A command line: what it does, and its options. FILE - is standard input. */
const forms = {
  serve: ['start the gateway; the embedded bank, too, unless UPSTREAM_URL is set', 'port', 'host', 'scenario'],
  bank: ['start the embedded bank alone', 'scenario'],
  schema: ["print the subgraph's SDL"],
  'schema client': ['print the schema that frontends generate types from'],
  'schema check': ["compare schema.graphql with the last release's"],
  'schema release': ["record schema.graphql as the last release's, under package.json's version"],
  'explain FILE': ['print the calls that an operation needs at worst', 'variables', 'operation', 'json'],
  'export FILE': [
    'write each record of a connection of a query, all pages',
    ...(['field', 'variables', 'format', 'after'] as const),
  ],
  contract: ['print the contract in force, row by row', 'json', 'schema'],
  'contract check': ['compare the contract with the live service, read-only', 'json', 'write', 'cases'],
  'contract import FILE': [
    'make a contract from an OpenAPI file or a Postman collection',
    ...(['map', 'json', 'verbose', 'write', 'cases'] as const),
  ],
  'contract try FILE': [
    'show what is read from a saved answer',
    ...(['operation', 'status', 'input', 'id', 'values', 'json'] as const),
  ],
  'contract test FILE': ['run cases: saved answers and what must be read from them', 'json'],
  init: [
    'write contract.yaml, .env.example and compose.yaml, by questions',
    ...(['file', 'map', 'url', 'header', 'unit', 'currency', 'yes', 'force'] as const),
  ],
} as const satisfies Readonly<Record<string, readonly [does: string, ...options: OptionName[]]>>;

type Form = keyof typeof forms;
export type FormName = Form extends infer Each ? (Each extends `${infer Name} FILE` ? Name : Each) : never;

/** What a command's help says below its options, and its example. */
const notes = {
  serve: ['Ends on SIGTERM after a drain. Exit code 1 where it cannot start.', 'serve --port 8080 --scenario slow'],
  bank: ['Its settings are BANK_PORT and BANK_DATABASE.', 'bank --scenario down'],
  schema: [
    'TYPE_PREFIX renames what is printed. Exit code 1: a breaking change; 2: nothing to compare.',
    'schema client',
  ],
  explain: ['Exit code 1: more than MAX_UPSTREAM_CALLS; 2: it cannot be explained.', 'explain query.graphql --json'],
  export: [
    'Needs CHECK_BEARER or CHECK_PRIVATE_KEY or both, but at the embedded bank.\nExit code 1 at the first record that cannot be read; standard error says where to continue.',
    'export statement.graphql --field customer.transactions --format csv',
  ],
  contract: [
    'check needs UPSTREAM_URL, and CHECK_BEARER or CHECK_PRIVATE_KEY or both.\nExit code 1: contradictions or a failed case; 2: it cannot run.',
    'contract check --write contract.yaml',
  ],
  init: [
    'Asks for what no option says. Checks the service where CHECK_BEARER or CHECK_PRIVATE_KEY is set.\nNo secret is written.',
    'init --file openapi.yaml',
  ],
} as const satisfies Readonly<Record<string, readonly [note: string, example: string]>>;

/** The same of forms whose command has another form's. */
const ownNotes: Readonly<Partial<Record<FormName, readonly [note: string, example: string]>>> = {
  'contract import': ['Exit code 1: not everything was found; 2: it cannot run.', 'contract import payments.json'],
  'contract try': [
    'Exit code 1: not all was read; 2: it cannot run.',
    'contract try answer.json --operation getCustomer',
  ],
  'contract test': ['Exit code 1: a case fails; 2: it cannot run.', 'contract test cases.yaml'],
};

type CommandName = keyof typeof notes;

export interface CommandLine {
  readonly form: FormName;
  /** Empty for a form without FILE. */
  readonly file: string;
  readonly values: {
    readonly [Name in OptionName]?: Name extends 'map'
      ? string[]
      : (typeof options)[Name][0] extends ''
        ? true
        : string;
  };
  /** Variables by the options that replace them. */
  readonly settings: Readonly<Record<string, string>>;
}

const formsOf = (command: string): readonly Form[] =>
  (Object.keys(forms) as Form[]).filter((form) => form.split(' ')[0] === command); // keys of the table
const nameOf = (form: Form): FormName => form.replace(/ FILE$/, '') as FormName; // as its type says
const optionsOf = (form: Form): readonly OptionName[] => forms[form].slice(1) as OptionName[]; // behind what it does
const listOf = (words: readonly string[], type: 'conjunction' | 'disjunction'): string =>
  new Intl.ListFormat('en-GB', { type }).format(words);

function toCommand(word: string): CommandName {
  if (Object.hasOwn(notes, word)) return word as CommandName; // hasOwn has proved it one
  const kind = word.startsWith('-') ? 'option' : 'command';
  const names = kind === 'option' ? ['--help', '--version'] : Object.keys(notes);
  const { name } = nearestName(word, names);
  throw new Error(`There is no ${kind} ${word}; did you mean ${name}? settlement-graph --help lists all.`);
}

/** Reads a command line. Throws an Error with the likely word where it is misused. */
export function readCommandLine([word = '', ...args]: readonly string[]): CommandLine {
  const command = toCommand(word);
  const refuse = (fault: string): Error =>
    new Error(`${fault}${fault.endsWith('?') ? '' : ':'} settlement-graph ${command} --help`);
  const ofCommand = formsOf(command);
  const known = [...new Set(ofCommand.flatMap(optionsOf))];
  const flags = [...known.map((name) => `--${name}`), '--help', '--version'];
  const unknown = args
    .map((word) => word.replace(/=.*/s, ''))
    .find((word) => word.startsWith('-') && word !== '-' && !flags.includes(word));
  if (unknown !== undefined)
    throw refuse(`${command} has no option ${unknown}; did you mean ${nearestName(unknown, flags).name}?`);
  const types = known.map((name) => {
    const type = options[name][0] === '' ? ('boolean' as const) : ('string' as const);
    return [name, { type, multiple: name === 'map' }] as const;
  });
  const { positionals, values } = parseArgs({ args, options: Object.fromEntries(types), allowPositionals: true });
  const named = ofCommand.find((form) => nameOf(form) === `${command} ${positionals[0]}`);
  const form = named ?? ofCommand[0] ?? 'serve'; // each command has a form
  const name = nameOf(form);
  const words = named === undefined ? positionals : positionals.slice(1);
  const surplus = form === name ? words : words.slice(1);
  const subcommands = ofCommand.slice(1).map((form) => nameOf(form).replace(`${command} `, ''));
  if (surplus.length > 0 && named === undefined && subcommands.length > 0)
    throw new Error(`${command} ${positionals.join(' ')}: allowed: ${command} ${listOf(subcommands, 'disjunction')}.`);
  if (surplus.length > 0) throw refuse(`${name} takes no ${surplus.join(' ')}`);
  const [file = ''] = words;
  if (form !== name && file === '') throw refuse(`${name} needs one FILE`);
  for (const option of known.filter((option) => values[option] !== undefined && !optionsOf(form).includes(option))) {
    const others = ofCommand.filter((form) => optionsOf(form).includes(option)).map(nameOf);
    const have = others.length === 1 ? 'has' : 'have';
    throw refuse(`${name} has no option --${option}, which ${listOf(others, 'conjunction')} ${have}`);
  }
  const settings: Record<string, string> = {};
  for (const [option, variable] of Object.entries(variableOf)) {
    const value = values[option];
    const fault = variables.shape[variable].safeParse(value || undefined).error?.issues[0]?.message;
    if (fault !== undefined) throw new Error(`--${option}: ${fault}`);
    if (typeof value === 'string') settings[variable] = value;
  }
  return { form: name, file, values, settings };
}

/** The help for a command, for one of its forms, or for all. Throws as `readCommandLine` does. */
export function toHelp([word, subcommand]: readonly string[]): string {
  const toLines = (rows: readonly (readonly [string, string])[]): string => {
    const width = Math.max(...rows.map(([name]) => name.length));
    return rows.map(([name, does]) => `  ${styleText('bold', name.padEnd(width))}  ${does}\n`).join('');
  };
  const toFormLines = (all: readonly Form[]): string => toLines(all.map((form) => [form, forms[form][0]]));
  if (word === undefined) {
    const all = toFormLines(Object.keys(notes).flatMap(formsOf));
    return `settlement-graph COMMAND\n\n${all}\nSettings are environment variables: docs/variables.env. All faults are reported together.\nsettlement-graph help COMMAND shows its options and an example. settlement-graph version prints it.\n`;
  }
  const command = toCommand(word);
  const chosen = formsOf(command).filter((form) => nameOf(form) === `${command} ${subcommand}`);
  const shown = chosen.length > 0 ? chosen : formsOf(command);
  const names = [...new Set(shown.flatMap(optionsOf))];
  const optionLines = toLines(names.map((name) => [`--${name} ${options[name][0]}`, options[name][1]]));
  const [form] = shown.length === 1 ? shown : [];
  const [note, example] = (form && ownNotes[nameOf(form)]) ?? notes[command];
  return `settlement-graph ${form ?? command}\n\n${toFormLines(shown)}\n${optionLines}${optionLines && '\n'}${note}\n\nExample: settlement-graph ${example}\n`;
}
