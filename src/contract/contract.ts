import type { z } from 'zod';
import { GatewayError } from '../domain/errors.ts';
import { nearestName } from '../runtime/nearest-name.ts';
import { findAddressFaults } from './addressing.ts';
import { allowedWords } from './allowed-words.ts';
import { checkExtra, extraInputs, isExtraId, type Extra } from './extra-rows.ts';
import { currencyDigits } from './money.ts';
import type { MoneyUnit, Row } from './row.ts';
import { isAddressed, writeNames, type OperationName, type WriteName } from './operation-rows.ts';
import { contractRows } from './service-rows.ts';

export type { CredentialName, Method, MoneyUnit, PageStyle } from './row.ts';
export type { ListName, OperationName } from './operation-rows.ts';

type Values = Readonly<Record<string, unknown>>;
type Rows = typeof contractRows;
type ValueOf<R> = R extends Row<infer Value> ? Value : never;

export type RowId = keyof Rows;

/**
 * The contract in force: each row's id with its value, the overrides laid over the defaults, and what the deployment adds
 * to the graph. Checked and frozen.
 */
export type Contract = { readonly [Id in RowId]: ValueOf<Rows[Id]> } & { readonly extras: readonly Extra[] };

export interface RowDescription extends Omit<Row<unknown>, 'schema'> {
  readonly id: string;
  readonly default: unknown;
  readonly state: 'default' | 'overridden' | 'undecided';
}

/** One fault of a row's value: its path inside the value, and what is allowed there. */
interface RowFault {
  readonly path: readonly (string | number)[];
  readonly allowed: string;
}

/** A fault of a row, alone or beside others. */
interface Fault extends Partial<RowFault> {
  readonly id: string;
  readonly allowed: string;
}

export function checkRow(
  id: string,
  value: unknown,
): { readonly value: unknown; readonly faults: readonly RowFault[] } {
  if (isExtraId(id)) {
    const { value: extra, issues, schema, example } = checkExtra(id, value);
    return { value: extra, faults: issues.flatMap((issue) => toMemberFaults(issue, schema, example)) };
  }
  if (!Object.hasOwn(contractRows, id)) {
    const { name } = nearestName(id, Object.keys(contractRows));
    return {
      value,
      faults: [{ path: [], allowed: `an id that \`settlement-graph contract\` prints, such as ${name}` }],
    };
  }
  const { schema, value: example } = contractRows[id as RowId]; // hasOwn has just proved it a row's id
  const parsed = schema.safeParse(value);
  return parsed.success
    ? { value: parsed.data, faults: [] }
    : { value, faults: toFaults(parsed.error.issues, schema, example) };
}

type Issue = Pick<z.core.$ZodIssue, 'path' | 'message'> & {
  readonly code?: z.core.$ZodIssue['code'];
  /** The names of the members that the map does not have, in an issue about them. */
  readonly keys?: readonly string[];
};

/** The faults of one Zod issue of a row whose value is a map: at the member that it names, or of the whole map. */
function toMemberFaults(issue: Issue, schema: z.ZodObject | undefined, example: unknown): readonly RowFault[] {
  const [name, ...path] = issue.path.map(String);
  const members: Readonly<Record<string, z.core.$ZodType>> = schema?.shape ?? {};
  const member = name === undefined ? undefined : members[name];
  if (issue.keys !== undefined)
    return issue.keys.map((key) => ({ path: [key], allowed: `${Object.keys(members).join(', ')} only` }));
  if (name === undefined || member === undefined) return toFaults([issue], schema, example);
  const faults = toFaults([{ ...issue, path }], member as z.ZodType, undefined); // all schemas of these rows are of this class
  return faults.map((fault) => ({ ...fault, path: [name, ...fault.path] }));
}

/** Issues with our own message are kept; all others become one statement of what the row allows. */
function toFaults(issues: readonly Issue[], schema: z.ZodType | undefined, example: unknown): readonly RowFault[] {
  const isOurs = ({ code }: Issue): boolean => code === undefined || code === 'custom' || code === 'invalid_format';
  const ours = issues.filter(isOurs).map(({ path, message }) => ({ path: path.map(String), allowed: message }));
  const others =
    ours.length === issues.length || schema === undefined ? [] : [{ path: [], allowed: allowedWords(schema, example) }];
  return [...new Map([...ours, ...others].map((fault) => [JSON.stringify(fault), fault])).values()];
}

/** Lays overrides over the defaults, but for those that are not valid alone, and finds the faults of all. */
export function checkOverrides(overrides: Values): { readonly contract: Contract; readonly faults: readonly Fault[] } {
  const checked = Object.entries(overrides).map(([id, written]) => ({ id, ...checkRow(id, written) }));
  const valid = checked.filter(({ faults }) => faults.length === 0);
  const own = valid.filter(({ id }) => !isExtraId(id)).map(({ id, value }) => [id, value] as const);
  const extras = valid.filter(({ id }) => isExtraId(id)).map(({ value }) => value as Extra);
  const all: Values = { ...overDefaults(Object.fromEntries(own)), extras };
  const contract = Object.freeze(all) as Contract; // each value has passed its own row's schema
  const faults = checked.flatMap(({ id, faults: found }) => found.map((fault) => ({ id, ...fault })));
  const together = [...findAddressFaults(contract), ...findSharedPlaces(contract), ...findUnsendable(contract)];
  return { contract, faults: [...faults, ...together] };
}

/** The contract under these overrides. Throws one error of every fault, each on a line of its own with what is allowed. */
export function createContract(overrides: Values = {}): Contract {
  const { contract, faults } = checkOverrides(overrides);
  const lines = faults.map(({ id, path = [], allowed }) => `${[id, ...path].join('.')}: allowed: ${allowed}`);
  if (lines.length > 0) throw new Error(`The contract's overrides are not valid.\n${lines.join('\n')}`);
  return contract;
}

/** Rows of errors that lead where a success has its record: every record would be an error. */
function findSharedPlaces(contract: Contract): readonly Fault[] {
  const rows = ['errors.fields', 'errors.message', 'envelope.failure', 'envelope.failureKeys'] as const;
  const data = new Set(contract['envelope.data']);
  return rows.flatMap((id) =>
    contract[id]
      .filter((pointer) => data.has(pointer))
      .map((pointer) => ({ id, allowed: `pointers that envelope.data does not have, unlike "${pointer}"` })),
  );
}

/** Whether requests have the body of a form, in place of JSON. */
export function sendsForms(contract: Contract): boolean {
  return /^application\/x-www-form-urlencoded/i.test(contract['service.contentType']);
}

/** Constants that no form can hold. */
function findUnsendable(contract: Contract): readonly Fault[] {
  const isSendable = (value: unknown): boolean =>
    !Array.isArray(value) && value !== null && (typeof value !== 'object' || Object.values(value).every(isSendable));
  const ids = sendsForms(contract) ? writeNames.map((name) => `${name}.constants` as const) : [];
  return ids
    .filter((id) => !isSendable(contract[id]))
    .map((id) => ({ id, allowed: 'texts, numbers, true, false and maps of these, since bodies are forms' }));
}

/** The wire names of a write's input fields, those that the deployment adds included. */
export function inputNames(
  contract: Contract,
  write: WriteName,
): readonly (readonly [field: string, wireName: string])[] {
  const added = extraInputs(contract, write).map(({ name, wire }) => [name, wire] as const);
  return [...Object.entries(contract[`${write}.body`]), ...added];
}

const defaults: Values = Object.fromEntries(Object.entries(contractRows).map(([id, { value }]) => [id, value]));

/** Lays values over the defaults. Body names are merged one by one: an override of one field keeps the other names. */
export function overDefaults(values: Values): Values {
  const merged = Object.entries(values).map(([id, value]) => {
    const isNames = id.endsWith('.body') && typeof value === 'object';
    return [id, isNames ? Object.assign({}, defaults[id], value) : value] as const;
  });
  return { ...defaults, ...Object.fromEntries(merged) };
}

/** Describes every row with its state, in the order of the table, then what the deployment adds to the graph. */
export function describeContract(contract: Contract): readonly RowDescription[] {
  const rows = Object.entries(contractRows).map(([id, row]): RowDescription => {
    const value = contract[id as RowId]; // the keys of the table are the row ids
    const isDefault = JSON.stringify(value) === JSON.stringify(row.value);
    const isUndecided = value === 'undecided' || (row.kind === 'decision' && decidedBy(contract, id) === null);
    const state = isUndecided ? 'undecided' : isDefault ? 'default' : 'overridden';
    return { id, kind: row.kind, source: row.source, value, default: row.value, state };
  });
  return [...rows, ...contract.extras.map(describeExtra)];
}

function describeExtra({ kind: _kind, id, owner: _owner, name: _name, ...value }: Extra): RowDescription {
  return { id, kind: 'assumption', source: 'added by this deployment', value, default: null, state: 'overridden' };
}

/** The unit of the amounts of a record or a write: its own row, else `money.unit`; null while undecided. */
export function moneyUnit(contract: Contract, row: UnitRow): MoneyUnit | null {
  const embedded = row === 'customer.balance.unit' ? contract['balance.unit'] : null;
  return contract[row] ?? embedded ?? contract['money.unit'];
}

/** The words of the statuses of a kind of record: its own row, else `status.words`. */
export function statusWords(contract: Contract, kind: string): ReadonlyMap<string, string> {
  const ownWords = contract[`${kind}.status.words` as 'customer.status.words'] as
    | Contract['status.words']
    | null
    | undefined; // absent for settlement banks
  return new Map(Object.entries(ownWords ?? contract['status.words']));
}

export type UnitRow = Extract<RowId, `${string}.unit`>;

/** The unit of money, and the decimals of its minor unit. Throws CONTRACT_UNDECIDED, naming the row, while one is undecided. */
export function requireMoneyDecisions(contract: Contract, row: UnitRow, operation: OperationName) {
  const unit = moneyUnit(contract, row);
  if (unit === null) throw undecidedError(operation, 'money.unit');
  const currency = contract['money.currency'];
  const places = currencyDigits(currency ?? '');
  if (currency === null || places === undefined) throw undecidedError(operation, 'money.currency');
  return { unit, minorDigits: minorDigitsOf(contract, currency) ?? places };
}

/** How many decimals an amount of a currency has in the service's minor unit; undefined where the row does not say. */
export function minorDigitsOf(contract: Contract, currency: string): number | undefined {
  const digits = contract['money.minorDigits'];
  return typeof digits === 'object' ? digits?.[currency] : digits;
}

/**
 * The most decimals of an amount that can be sent: those of the currency and, where it is sent in the minor unit, of that.
 * While the currency is undecided any: the amount is not sent.
 */
export function mostDecimals(contract: Contract, row: UnitRow): number {
  const currency = contract['money.currency'] ?? '';
  const places = currencyDigits(currency) ?? Infinity;
  return moneyUnit(contract, row) === 'minor' ? Math.min(places, minorDigitsOf(contract, currency) ?? places) : places;
}

/** Whether amounts are in the minor unit of a currency that has none, and no row says how many decimals they have. */
export function lacksMinorDigits(contract: Contract): boolean {
  const currency = contract['money.currency'] ?? '';
  const isMinor = Object.entries(contract).some(([id, value]) => id.endsWith('.unit') && value === 'minor');
  return isMinor && currencyDigits(currency) === 0 && minorDigitsOf(contract, currency) === undefined;
}

/** The error of what cannot be read or sent until the operator has decided a row. */
export function undecidedError(operation: OperationName, row: RowId): GatewayError {
  return new GatewayError('CONTRACT_UNDECIDED', { operation, row, retryable: true });
}

/** The value of a decision row, null while undecided; the unit rows fall back to `money.unit`. */
function decidedBy(contract: Contract, id: string): unknown {
  return id.endsWith('.unit') ? moneyUnit(contract, id as UnitRow) : contract[id as RowId]; // a decision's id is a row's
}

/** The field of the body that holds an operation's identifier; null where it stands in the path, or there is none. */
export function idField(contract: Contract, name: OperationName): string | null {
  return isAddressed(name) ? contract[`${name}.idInBody`] : null;
}

/** The full path of an operation below the service's base URL, with `{id}` still in place, perhaps with a query. */
export function pathTemplate(contract: Contract, name: OperationName): string {
  return contract['service.prefix'] + contract[`${name}.path`];
}
