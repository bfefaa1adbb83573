import { isAddressed } from '../../../contract/operation-rows.ts';
import { inputTypes } from '../../../contract/operation-rows.ts';
import { writeNames, type WriteName } from '../../../contract/operation-rows.ts';
import { contractRows } from '../../../contract/service-rows.ts';
import { numberText } from '../../../upstream/decoding/exact-json.ts';
import { isRecord, type PointerRow } from '../../../upstream/decoding/field-decoders.ts';
import { compilePointers } from '../../../upstream/decoding/json-pointer.ts';
import { recordKinds } from '../../../contract/operation-rows.ts';
import { isMainAmount } from '../../contract-check/find-amount.ts';
import { findPointer, namesWithKind, synonyms } from '../../contract-check/find-field.ts';
import { isPlainName, namesOfMoney, normalizeName } from '../../contract-check/json-shape.ts';
import { membersOf, openText, type ApiBody, type Json } from '../api.ts';
import type { Collector } from '../collector.ts';
import type { FoundMatch } from '../match-operations.ts';
import { maxWrappers } from '../schema-sample.ts';

type Names = Readonly<Record<string, string>>;

/** The create operation whose names an update has by default, by the row's reason. */
const creates: Readonly<Partial<Record<WriteName, WriteName>>> = {
  updateSettlementBank: 'storeSettlementBank',
  updateCustomer: 'createCustomer',
};

/** Names of an update that its own body does not show are those of the create operation, also where it was not found. */
export function collectBodies(collector: Collector): void {
  const find = (operation: WriteName | undefined) => collector.matches.find((each) => each.operation === operation);
  for (const operation of writeNames.toSorted((one, other) => Number(one in creates) - Number(other in creates))) {
    const create = creates[operation];
    if (create !== undefined) collector.set(`${operation}.body`, collector.run.contract()[`${create}.body`]);
    const match = find(operation);
    const why = find(create) === undefined ? '' : `; named as ${create} names them`;
    if (match !== undefined) collectBody(collector, operation, match, why);
  }
}

function collectBody(collector: Collector, operation: WriteName, match: FoundMatch, whyMissing: string): void {
  const { set, comment } = collector;
  const { api, idInBody } = match;
  const body = withoutField(api.body, idInBody);
  const names: Names = collector.run.contract()[`${operation}.body`];
  if (body === undefined || !isRecord(body.sample)) {
    if (Object.keys(names).length > 0) comment(`${operation}.body: # unsure: the file has no body for it${whyMissing}`);
    return;
  }
  const nameFields = (fields: Json, at: string) => nameInputs(operation, names, fields, at);
  // An amount in minor units shows where the fields are, too.
  const level = unwrap(
    body.sample,
    (each, below) =>
      nameFields(each, below).size + Number(Object.hasOwn(names, 'amount') && Object.keys(each).some(isMinor)),
    Object.keys(names).length > 0,
  );
  const { wrapper, at, fields } = level;
  const beside = [...level.beside, ...(Object.keys(names).length === 0 ? nestedConstants(body) : [])];
  if (wrapper !== null) set(`${operation}.wrapper`, wrapper, api.place);
  const wireNames = nameFields(fields, at);
  const nested = findNested(operation, fields, at, (field) => Object.hasOwn(names, field) && !wireNames.has(field));
  set(`${operation}.body`, { ...names, ...Object.fromEntries([...wireNames, ...nested]) }, api.place);
  const pointers = new Map([...[...wireNames].map(([field, wire]) => [field, `${at}/${wire}`] as const), ...nested]);
  const required = [...pointers].filter(([, pointer]) => body.required.includes(pointer)).map(([field]) => field);
  if (required.length > 0) set(`${operation}.required`, required, api.place);
  const wires = new Set(wireNames.values());
  const unknown = Object.keys(fields).filter((wire) => isPlainName(wire) && !wires.has(wire));
  const missing = Object.keys(names).filter((field) => !pointers.has(field));
  const minor = missing.join() === 'amount' ? unknown.find(isMinor) : undefined;
  if (minor !== undefined) commentOnMinor(collector, minor, body.required.includes(`${at}/${minor}`), fields[minor]);
  else if (missing.length > 0)
    comment(`${operation}.body: # unsure: no property looks like ${missing.join(', ')}${whyMissing}`);
  // Beside its path, an update may carry the identifier in its body, as in JSON:API.
  const idAbove = operation in creates ? beside.find((pointer) => /^(?:\/data)?\/id$/.test(pointer)) : undefined;
  if (idAbove !== undefined && idInBody === undefined && isAddressed(operation))
    set(`${operation}.idInBody`, idAbove, api.place);
  const named = new Set(pointers.values());
  const isNamed = (wire: string): boolean => {
    const members = Object.keys(membersOf(fields[wire]));
    return members.length > 0 && members.every((name) => named.has(`${at}/${wire}/${name}`));
  };
  const others = unknown.filter((wire) => wire !== minor && !isNamed(wire));
  const rest = { ...level, beside: beside.filter((pointer) => pointer !== idAbove), body, place: api.place };
  collectUnknown(collector, operation, rest, others);
  if (operation !== 'createCustomerOneTimeAccount') return;
  const row = 'createCustomerOneTimeAccount.amountAs';
  const amount = compilePointers([pointers.get('amount') ?? '']).read(body.sample);
  if (numberText(amount) !== undefined) set(row, 'number', api.place);
  if (amount === openText) comment(`${row}: # unsure: number, perhaps: a variable without quotes stands for it`);
}

/** An amount in minor units by its name is a decision: it needs the row of its unit. */
function commentOnMinor({ comment }: Collector, wire: string, isRequired: boolean, value: unknown): void {
  const operation = 'createCustomerOneTimeAccount';
  const further = [
    `${operation}.unit: minor`,
    ...(isRequired ? [`${operation}.required: [amount]`] : []),
    ...(numberText(value) === undefined ? [] : [`${operation}.amountAs: number`]),
  ];
  comment(`${operation}.body: # unsure: { amount: ${wire} }, perhaps, with ${further.join(', ')}`);
}

/** Properties that may have one value only, and comments on inputs that the graph lacks. */
function collectUnknown(
  { set, comment, propose, note }: Collector,
  operation: WriteName,
  { place, body, fields, at, beside }: ReturnType<typeof unwrap> & { readonly body: ApiBody; readonly place: string },
  wires: readonly string[],
): void {
  const hasOneValue = (pointer: string): boolean => Object.hasOwn(body.constants, pointer);
  const isConstant = (pointer: string): boolean => hasOneValue(pointer) && body.required.includes(pointer);
  const constants = [
    ...wires.map((wire) => [wire, `${at}/${wire}`] as const),
    ...beside.map((pointer) => [pointer, pointer] as const),
  ].flatMap(([name, pointer]) => (isConstant(pointer) ? [[name, body.constants[pointer]] as const] : []));
  if (constants.length > 0) set(`${operation}.constants`, Object.fromEntries(constants), place);
  const others = beside.filter((pointer) => !isConstant(pointer));
  if (others.length > 0)
    comment(
      `${operation}.constants: # unsure: { ${others.map((each) => `${each}: …`).join(', ')} } beside its fields, or added inputs with such a wire`,
    );
  for (const wire of wires.filter((each) => !isConstant(`${at}/${each}`))) {
    const value = fields[wire];
    if (typeof value === 'object' && value !== null) {
      const isOpen = isRecord(value) && Object.keys(value).length > 0;
      const how = `its input ${wire} is an object: ${operation}.body, or an added input's wire, may name its members by JSON pointers`;
      note(place, isOpen ? how : `no row can say its input ${wire}: an object or a list`);
      continue;
    }
    if (hasOneValue(`${at}/${wire}`))
      comment(`${operation}.constants: # unsure: { ${wire}: … }: its schema allows one value, and does not require it`);
    const rest = body.required.includes(`${at}/${wire}`) ? { required: true } : {};
    propose(inputTypes[operation], wire, { type: inputTypeOf(value), wire, ...rest }, place, (value ?? null) !== null);
  }
}

/** Pointers to the values below the top of a body that may have one value only. */
function nestedConstants({ constants }: ApiBody): readonly string[] {
  return Object.keys(constants).filter((pointer) => pointer.lastIndexOf('/') > 0);
}

function withoutField(body: ApiBody | undefined, field: string | undefined): ApiBody | undefined {
  if (field === undefined || body === undefined || !isRecord(body.sample)) return body;
  const { [field]: _, ...sample } = body.sample;
  return { ...body, sample };
}

/**
 * The fields of a body at the level that has most of their names; its pointer is `at`. A level below counts where it is the
 * only object of the one above. A wrapper inside another one is a pointer; `beside` are pointers to the values next to the
 * wrappers.
 */
function unwrap(sample: Json, countNames: (fields: Json, at: string) => number, mayBeUnnamed: boolean) {
  let best = { wrapper: null as string | null, at: '', fields: sample, beside: [] as readonly string[] };
  let [at, level] = ['', sample];
  const beside: string[] = [];
  for (let depth = 0; depth < maxWrappers; depth += 1) {
    const [[name, inner] = ['', undefined], ...others] = Object.entries(level).filter(([, value]) => isRecord(value));
    if (others.length > 0 || !isPlainName(name) || !isRecord(inner)) break;
    const scalars = Object.keys(level).filter((key) => key !== name && isPlainName(key));
    beside.push(...scalars.map((key) => `${at}/${key}`));
    at = `${at}/${name}`;
    level = inner;
    const isOnly = beside.length === 0 && best.wrapper === null && best.fields === sample;
    if (
      countNames(inner, at) > countNames(best.fields, best.at) ||
      (isOnly && mayBeUnnamed && countNames(sample, '') === 0)
    )
      best = { wrapper: depth === 0 ? name : at, at, fields: inner, beside: [...beside] };
  }
  return best;
}

/** The property for each input field: by the name in force, by it or the published one in another spelling, by a synonym. */
function nameInputs(operation: WriteName, names: Names, values: Json, at: string): ReadonlyMap<string, string> {
  const properties = Object.keys(values).filter((name) => isPlainName(name) && !isRecord(values[name]));
  const published: Names = contractRows[`${operation}.body`].value;
  const kind = operation.endsWith('Customer') ? 'customer' : '';
  const usual = (field: string): readonly (readonly string[])[] => {
    const spellings = [field, names[field] ?? '', published[field] ?? ''].map(normalizeName);
    const others = synonyms[field] ?? [];
    return [spellings, namesWithKind(kind, field), others, others.flatMap((name) => namesWithKind(kind, name))];
  };
  const propertyByField = new Map<string, string>();
  const take = (field: string, accepts: (property: string) => boolean): void => {
    const used = new Set(propertyByField.values());
    const property = properties.find((each) => !used.has(each) && accepts(each));
    if (!propertyByField.has(field) && property !== undefined) propertyByField.set(field, property);
  };
  const fields = Object.keys(published);
  for (const field of fields) take(field, (property) => property === names[field]);
  for (const rank of [0, 1, 2, 3])
    for (const field of fields)
      take(field, (property) => usual(field)[rank]?.includes(normalizeName(property)) === true);
  const amount = `/${at.split('/').at(-1) ?? ''}/${namesOfMoney(values)?.amount ?? ''}`;
  if (fields.includes('amount') && isMainAmount('transaction.amount', amount))
    take('amount', (property) => amount.endsWith(`/${property}`));
  return propertyByField;
}

/**
 * JSON pointers to inputs inside the objects of a body, where the fields of a record would be found, too. An input that no
 * record shows, such as an identity number, counts beside one that was found.
 */
function findNested(
  operation: WriteName,
  fields: Json,
  at: string,
  isWanted: (field: string) => boolean,
): ReadonlyMap<string, string> {
  const inputs: Names = contractRows[`${operation}.body`].value;
  const rowOf = (field: string): string => `${recordKinds[operation]}.${field}`;
  const isRead = (field: string): boolean => Object.hasOwn(contractRows, rowOf(field));
  const found = Object.keys(inputs).flatMap((field) => {
    const isOpen = isWanted(field) && isRead(field);
    const pointer = isOpen ? findPointer(rowOf(field) as PointerRow, [fields], true) : undefined;
    return pointer !== undefined && pointer.lastIndexOf('/') > 0 ? [[field, pointer] as const] : [];
  });
  const objects = new Set(found.map(([, pointer]) => pointer.slice(0, pointer.lastIndexOf('/'))));
  const beside = [...objects].flatMap((object) => {
    const members = membersOf(compilePointers([object]).read(fields));
    return [...nameInputs(operation, inputs, members, object)].flatMap(([field, wire]) =>
      isWanted(field) && !isRead(field) ? [[field, `${object}/${wire}`] as const] : [],
    );
  });
  return new Map([...beside, ...found].map(([field, pointer]) => [field, at + pointer]));
}

function inputTypeOf(value: unknown): string {
  if (typeof value === 'boolean') return 'Boolean';
  return Number.isInteger(value) ? 'Int' : 'String';
}

/** Whether an amount is in minor units by its name, such as `amount_kobo`. */
function isMinor(name: string): boolean {
  return /^(?:amount|value|total)[_-]?(?:in[_-]?)?(?:kobo|cents?|pence|minor)$|^(?:kobo|cents?|minor)[_-]?amount$/i.test(
    name,
  );
}
