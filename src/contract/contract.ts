import { GatewayError } from '../domain/errors.ts';
import { currencyDigits } from './money.ts';
import type { MoneyUnit, Row } from './row.ts';
import type { ListName, OperationName } from './operation-rows.ts';
import { contractRows } from './service-rows.ts';

export type { CredentialName, Method, MoneyUnit, PageStyle } from './row.ts';
export type { ListName, OperationName } from './operation-rows.ts';

type Rows = typeof contractRows;
type ValueOf<R> = R extends Row<infer Value> ? Value : never;

export type RowId = keyof Rows;

/** The contract in force: each row's id with its value, the overrides laid over the defaults. Checked and frozen. */
export type Contract = { readonly [Id in RowId]: ValueOf<Rows[Id]> };

export interface RowDescription {
  readonly id: string;
  readonly kind: 'fact' | 'assumption' | 'decision';
  readonly source: string;
  readonly value: unknown;
  readonly default: unknown;
  readonly state: 'default' | 'overridden' | 'undecided';
}

/** One fault of a row's value: its path inside the value, and what is allowed there. */
export interface RowFault {
  readonly path: readonly (string | number)[];
  readonly allowed: string;
}

/** Checks one value by its row's schema. */
export function checkRow(
  id: string,
  value: unknown,
): { readonly value: unknown; readonly faults: readonly RowFault[] } {
  if (!Object.hasOwn(contractRows, id)) {
    return { value, faults: [{ path: [], allowed: 'the ids that `settlement-graph contract` prints' }] };
  }
  const parsed = contractRows[id as RowId].schema.safeParse(value); // hasOwn has just proved it a row's id
  if (parsed.success) return { value: parsed.data, faults: [] };
  const faults = parsed.error.issues.map(({ path, message }) => ({ path: path.map(String), allowed: message }));
  return { value, faults };
}

/**
 * Lays overrides over the defaults. Every fault is reported in one error, each on a line of its own:
 * unknown rows by name, wrong values by row with what is allowed.
 */
export function createContract(overrides: Readonly<Record<string, unknown>> = {}): Contract {
  const faults: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [id, row] of Object.entries(contractRows)) {
    values[id] = row.value;
    faults.push(...faultsOf(id, checkRow(id, row.value)));
  }
  const defaults = { ...values };
  for (const [id, written] of Object.entries(overrides)) {
    const checked = checkRow(id, written);
    values[id] = isNames(id) ? { ...(defaults[id] as object), ...(checked.value as object) } : checked.value; // names are maps by their schema
    faults.push(...faultsOf(id, checked));
  }
  if (faults.length > 0) throw new Error(`The contract's overrides are not valid.\n${faults.join('\n')}`);
  return Object.freeze(values) as Contract; // each value has passed its own row's schema
}

function faultsOf(id: string, { faults }: ReturnType<typeof checkRow>): readonly string[] {
  return faults.map(({ path, allowed }) => `${[id, ...path].join('.')}: allowed: ${allowed}`);
}

/** Whether a row holds body names. They are merged one by one: an override of one field keeps the other names. */
function isNames(id: string): boolean {
  return id.endsWith('.body');
}

/** Describes every row with its state, in the order of the table. */
export function describeContract(contract: Contract): readonly RowDescription[] {
  return Object.entries(contractRows).map(([id, row]) => {
    const value = contract[id as RowId]; // the keys of the table are the row ids
    const isDefault = JSON.stringify(value) === JSON.stringify(row.value);
    const isUndecided = row.kind === 'decision' && decidedBy(contract, id) === null;
    const state = isUndecided ? 'undecided' : isDefault ? 'default' : 'overridden';
    return { id, kind: row.kind, source: row.source, value, default: row.value, state };
  });
}

/** The unit of the amounts of a record or a write: its own row, else `money.unit`; null while undecided. */
export function moneyUnit(contract: Contract, row: UnitRow): MoneyUnit | null {
  const embedded = row === 'customer.balance.unit' ? contract['balance.unit'] : null;
  return contract[row] ?? embedded ?? contract['money.unit'];
}

/** The contract as one list sees it: its own rows in place of those that all lists have in common. */
export function contractOfList(contract: Contract, list: ListName): Contract {
  const shared = Object.keys(contractRows).filter((id) => id.startsWith('lists.'));
  const own = shared.map((id) => [id, contract[id.replace('lists', list) as RowId]] as const); // absent for lists.signs
  return { ...contract, ...Object.fromEntries(own.filter(([, value]) => (value ?? null) !== null)) };
}

export type UnitRow = Extract<RowId, `${string}.unit`>;

/** The unit and currency for reading and writing money. Throws CONTRACT_UNDECIDED, naming the row, while one is undecided. */
export function requireMoneyDecisions(contract: Contract, row: UnitRow, operation: OperationName) {
  const unit = moneyUnit(contract, row);
  if (unit === null) throw new GatewayError('CONTRACT_UNDECIDED', { operation, row: 'money.unit', retryable: true });
  const currency = contract['money.currency'];
  if (currency === null)
    throw new GatewayError('CONTRACT_UNDECIDED', { operation, row: 'money.currency', retryable: true });
  const places = currencyDigits(currency);
  if (places === undefined)
    throw new GatewayError('CONTRACT_UNDECIDED', { operation, row: 'money.currency', retryable: true });
  return { unit, currency, places };
}

/** The decided value of a decision row; the unit rows fall back to `money.unit`. */
function decidedBy(contract: Contract, id: string): unknown {
  return id.endsWith('.unit') ? moneyUnit(contract, id as UnitRow) : contract[id as RowId]; // a decision's id is a row's
}

/** The full path of an operation below the service's base URL, with `{id}` still in place. */
export function pathTemplate(contract: Contract, name: OperationName): string {
  return contract['service.prefix'] + contract[`${name}.path`];
}
