import { contractRows, type OperationName, type Row } from './contract-rows.ts';

export type { CredentialName, Method, MoneyUnit, OperationName } from './contract-rows.ts';

type Rows = typeof contractRows;
type ValueOf<R> = R extends Row<infer Value> ? Value : never;

export type RowId = keyof Rows;

/** The beliefs in force: each row's id with its value. `{...overrides}` on the defaults, checked and frozen. */
export type Contract = { readonly [Id in RowId]: ValueOf<Rows[Id]> };

export type ContractOverrides = { readonly [Id in RowId]?: ValueOf<Rows[Id]> };

export interface RowDescription {
  readonly id: string;
  readonly kind: 'fact' | 'assumption' | 'decision';
  readonly source: string;
  readonly value: unknown;
  readonly default: unknown;
  readonly state: 'default' | 'overridden' | 'undecided';
}

/**
 * Lays overrides over the defaults. Every fault is reported in one error, each on a line of its own:
 * unknown rows by name, wrong values by row with what is allowed.
 */
export function createContract(overrides: Readonly<Record<string, unknown>> = {}): Contract {
  const faults: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [id, row] of Object.entries(contractRows)) values[id] = row.value;
  for (const [id, value] of Object.entries(overrides)) {
    const row = Object.hasOwn(contractRows, id) ? contractRows[id as RowId] : undefined; // hasOwn has just proved it a row's id
    const parsed = row?.schema.safeParse(value);
    if (parsed === undefined) faults.push(`${id}: no such row`);
    else if (parsed.success) values[id] = parsed.data;
    else faults.push(...parsed.error.issues.map((issue) => `${[id, ...issue.path].join('.')}: ${issue.message}`));
  }
  if (faults.length > 0) throw new Error(`The contract's overrides are not valid.\n${faults.join('\n')}`);
  return Object.freeze(values) as Contract; // each value has passed its own row's schema
}

/** The table as people and programs read it, in the order of its rows. */
export function describeContract(contract: Contract): readonly RowDescription[] {
  return Object.entries(contractRows).map(([id, row]) => {
    const value = contract[id as RowId]; // the keys of the table are the row ids
    const isDefault = JSON.stringify(value) === JSON.stringify(row.value);
    const state = value === null && row.kind === 'decision' ? 'undecided' : isDefault ? 'default' : 'overridden';
    return { id, kind: row.kind, source: row.source, value, default: row.value, state };
  });
}

/** The full path of an operation below the service's base URL, with `{id}` still in place. */
export function pathTemplate(contract: Contract, name: OperationName): string {
  return contract['service.prefix'] + contract[`${name}.path`];
}
