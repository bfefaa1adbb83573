import { z } from 'zod';
import { graphNames } from './graph-names.ts';
import { filterNames, type FilterRow } from './list-rows.ts';
import { inputTypes, listFields, listNames, type ListName, type WriteName } from './operation-rows.ts';
import { recordTypes } from './records.ts';
import { pointer, pointers, wireName } from './row.ts';

type Values = Readonly<Record<string, unknown>>;

/** `extra.Customer.walletCode`: a row by which a deployment adds a field, an input field or a filter to the graph. */
export type ExtraId = `extra.${string}`;

/** The types of added fields and inputs, each with the form in which it is read and sent. */
export const extraForms = {
  String: 'text',
  ID: 'reference',
  Boolean: 'boolean',
  Int: 'int',
  Decimal: 'decimal',
  Date: 'date',
  DateTime: 'dateTime',
  Money: 'optionalMoney',
} as const;
export type ExtraType = keyof typeof extraForms;
const types = Object.keys(extraForms) as [ExtraType, ...ExtraType[]]; // the keys of the table

export type RecordType = keyof typeof recordTypes;

const description = z.string().min(1).max(1000).optional();
const unit = z.enum(['major', 'minor']).optional();
const unitIsOfMoney = (row: { readonly type: ExtraType; readonly unit?: unknown }): boolean =>
  row.unit === undefined || row.type === 'Money';

/** The kinds of rows that add to the graph, each with what it may add to: types, input types or lists. */
const kinds = {
  field: {
    schema: z
      .strictObject({ type: z.enum(types), at: pointers.min(1).max(20), unit, description })
      .refine(unitIsOfMoney, 'no unit, since only Money has one'),
    example: { type: 'String', at: ['/wallet/code'] },
    owners: Object.keys(recordTypes),
  },
  input: {
    schema: z.strictObject({
      type: z.enum(types),
      wire: wireName.optional(),
      required: z.boolean().optional(),
      description,
    }),
    example: { type: 'String', wire: 'bank_code', required: true },
    owners: Object.values(inputTypes),
  },
  filter: {
    schema: z.strictObject({ wire: wireName, matches: z.union([pointer, z.literal('none')]), description }),
    example: { wire: 'status', matches: '/status' },
    owners: Object.values(listFields),
  },
};

type ExtraBase<Kind extends keyof typeof kinds> = {
  readonly kind: Kind;
  readonly id: ExtraId;
  /** `Customer`, `CreateCustomerInput` or `Customer.transactions`. */
  readonly owner: string;
  readonly name: string;
};

export type ExtraField = ExtraBase<'field'> & z.infer<typeof kinds.field.schema>;
export type ExtraInput = ExtraBase<'input'> & z.infer<typeof kinds.input.schema> & { readonly wire: string };
type ExtraFilter = ExtraBase<'filter'> & z.infer<typeof kinds.filter.schema>;
/** The fields, inputs and filters that a deployment has added to the graph. */
export type Extra = ExtraField | ExtraInput | ExtraFilter;

export interface WithExtras {
  readonly extras: readonly Extra[];
}

export function extraFields({ extras }: WithExtras, owner: RecordType): readonly ExtraField[] {
  return extras.filter((extra): extra is ExtraField => extra.kind === 'field' && extra.owner === owner);
}

export function extraInputs({ extras }: WithExtras, write: WriteName): readonly ExtraInput[] {
  return extras.filter((extra): extra is ExtraInput => extra.kind === 'input' && extra.owner === inputTypes[write]);
}

/** A filter of a list. `parameter`: null where the service has none; `matches`: of one that the deployment adds. */
export interface ListFilter {
  readonly row: FilterRow | ExtraId;
  readonly argument: string;
  readonly parameter: string | null;
  readonly matches?: string;
}

/** The filters of a list. One that the deployment adds takes the place of the graph's own of that name. */
export function filtersOf(values: Values & WithExtras, list: ListName): readonly ListFilter[] {
  const added = values.extras
    .filter((extra): extra is ExtraFilter => extra.kind === 'filter' && extra.owner === listFields[list])
    .map(({ id, name, wire, matches }) => ({ row: id, argument: name, parameter: wire, matches }));
  const own = filterNames(list).map((argument) => {
    const row = `${list}.${argument}` as FilterRow;
    return { row, argument, parameter: values[row] as string | null }; // by the row's schema
  });
  return [...own.filter(({ argument }) => !added.some((filter) => filter.argument === argument)), ...added];
}

export function isExtraId(id: string): id is ExtraId {
  return id.startsWith('extra.');
}

/** Checks one row that adds to the graph. `value` is the extra where there is no fault. */
export function checkExtra(id: ExtraId, written: unknown) {
  const [, owner = '', name = ''] = /^extra\.(.+)\.([^.]*)$/.exec(id) ?? [];
  const [kind, rules] = Object.entries(kinds).find(([, { owners }]) => owners.some((each) => each === owner)) ?? [];
  if (rules === undefined) return refusal(written, allowedIds);
  if (!/^(?!__)[A-Za-z_]\w{0,99}$/.test(name)) {
    return refusal(
      written,
      `an id that ends in a name of GraphQL: letters, digits and _, at most 100, such as ${id.slice(0, -name.length || undefined)}walletCode`,
    );
  }
  const replaceable = listNames.filter((list) => listFields[list] === owner).flatMap(filterNames);
  if (graphNames(owner).has(name) && !replaceable.some((filter) => filter === name))
    return refusal(written, `another name, since ${owner} has its own \`${name}\``);
  const { schema, example } = rules;
  const parsed = schema.safeParse(written);
  if (!parsed.success) return { value: written, issues: parsed.error.issues, schema, example };
  const wire = kind === 'input' ? { wire: name } : {}; // the default, which the row may replace
  const extra = { kind, id, owner, name, ...wire, ...parsed.data } as Extra; // each kind by its own schema
  if (namesOf(extra).some(namesIdentity) && !(extra.kind === 'field' && extra.type === 'Boolean')) {
    return refusal(written, 'nothing that is named as an identity number, which this graph never shows');
  }
  return { value: extra, issues: [], schema: undefined, example: undefined };
}

const allowedIds = [
  `extra.TYPE.NAME, where TYPE is one of ${kinds.field.owners.join(', ')}`,
  `or one of the inputs ${kinds.input.owners.join(', ')}`,
  `or one of the lists ${kinds.filter.owners.join(', ')}; such as extra.Customer.walletCode`,
].join('; ');

function refusal(value: unknown, message: string) {
  return { value, issues: [{ path: [], message }], schema: undefined, example: undefined };
}

/** The names that an extra has in the graph and on the wire. */
function namesOf(extra: Extra): readonly string[] {
  if (extra.kind === 'input') return [extra.name, extra.wire];
  const paths = extra.kind === 'field' ? extra.at : [extra.matches];
  return [extra.name, ...(extra.kind === 'filter' ? [extra.wire] : []), ...paths.flatMap((path) => path.split('/'))];
}

const identity =
  /(?:^| )(?:v?nin|bvn|ssn|tin|passport)(?: |$)|(?:^| )national ?id|(?:^| )(?:id|identity|identification) ?(?:no|num|number)(?: |$)|tax ?id|social ?security|voters? ?(?:id|card)|drivers? ?licen[cs]e/;

/** Whether a name is that of an identity number: `nin`, `bvnNumber`, `national_id`. */
function namesIdentity(name: string): boolean {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, ' ')
    .trim();
  return identity.test(words);
}

/** The JSON Schemas of these rows, by the pattern of their ids. */
export function extraSchemas(): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.values(kinds).map(({ schema, owners }) => {
      const { $schema: _, ...plain } = z.toJSONSchema(schema);
      const names = owners.map((owner) => owner.replaceAll('.', String.raw`\.`));
      return [String.raw`^extra\.(?:${names.join('|')})\.\w+$`, plain];
    }),
  );
}
