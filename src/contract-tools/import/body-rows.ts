import { nameOfStep, toStep } from '../../contract/addressing.ts';
import { checkRow, type RowId } from '../../contract/contract.ts';
import { inputTypes, recordKinds, writeNames, type WriteName } from '../../contract/operation-rows.ts';
import { contractRows } from '../../contract/service-rows.ts';
import { normalizeName } from '../usual-names.ts';
import { compilePointers, isRecord } from '../../upstream/index.ts';
import { findPlaces } from '../propose/find-place.ts';
import { walk } from '../propose/json-nodes.ts';
import { openText, type RequestBody } from './endpoint.ts';
import type { FoundMatch } from './match.ts';
import type { Draft } from '../propose/draft.ts';

const maxOffers = 20;

/** The create operation whose names an update has by default, by the row's reason. */
const creates: Readonly<Partial<Record<WriteName, WriteName>>> = {
  updateSettlementBank: 'storeSettlementBank',
  updateCustomer: 'createCustomer',
};

/** Rows of the bodies of writes: names, required fields, constants; inputs that the graph lacks as questions. */
export function proposeBodyRows(matches: readonly FoundMatch[], draft: Draft<string>): void {
  const find = (operation: WriteName | undefined) => matches.find((each) => each.operation === operation);
  for (const operation of writeNames) {
    const match = find(operation);
    if (match === undefined) continue;
    const body = match.endpoint.body();
    const ofCreate = find(creates[operation])?.endpoint.body();
    const isOpen = body === undefined && publishedNames(operation).length > 0;
    if (isOpen) draft.ask(`${operation}.body`, 'the file shows no body of it');
    if (isRecord(body?.sample)) proposeBody(operation, match, body, ofCreate, draft);
    const successes = match.endpoint.answers().filter(({ status }) => status >= 200 && status < 300);
    if (successes.length > 0 && successes.every(({ status }) => status === 204 || status === 205))
      draft.ask(`${operation}.emptySuccess`, 'true, since the only success of the file has no body');
  }
}

function publishedNames(operation: WriteName): readonly (readonly [field: string, name: string])[] {
  return Object.entries<string>(contractRows[`${operation}.body`].value);
}

function proposeBody(
  operation: WriteName,
  { endpoint: { method }, idInBody = '' }: FoundMatch,
  { sample, required, constants }: RequestBody,
  ofCreate: RequestBody | undefined,
  { take, ask }: Draft<string>,
): void {
  const { named, unsure } = nameFields(operation, sample);
  const used = new Set([...named.values(), ...unsure.values(), idInBody.startsWith('/') ? idInBody : toStep(idInBody)]);
  const others = walk(sample).filter(
    ({ pointer, value }) => typeof value !== 'object' && pointer !== '' && !used.has(pointer),
  );
  // What the body of an update does not show is named as in that of the create, unless it names others otherwise.
  const ofCreateNamed = ofCreate === undefined ? [] : [...nameFields(operation, ofCreate.sample).named];
  const isAlike = ofCreateNamed.every(([field, pointer]) => (named.get(field) ?? pointer) === pointer);
  const allNamed = new Map([...(isAlike ? ofCreateNamed : []), ...named]);
  const wrapper = commonParent([...allNamed.values()]);
  const toName = (pointer: string): string => nameBelow(wrapper, pointer);
  if (wrapper !== '') take(`${operation}.wrapper`, nameBelow('', wrapper));
  const names = Object.fromEntries([...allNamed].map(([field, pointer]) => [field, toName(pointer)]));
  if (named.size > 0) take(`${operation}.body`, names);
  for (const [field, pointer] of unsure) ask(`${operation}.body`, `${field}: ${pointer}, perhaps`);
  const missing = publishedNames(operation).flatMap(([field]) => (named.has(field) || unsure.has(field) ? [] : field));
  if (missing.length > 0) ask(`${operation}.body`, `no property looks like ${missing.join(', ')}`);
  const requiredFields = [...named].filter(([, pointer]) => required.includes(pointer)).map(([field]) => field);
  // A PATCH sends only what is given, whatever its schema shares with that of the create.
  const isPartial = creates[operation] !== undefined && method !== 'PUT';
  if (requiredFields.length > 0 && !isPartial) take(`${operation}.required`, requiredFields);
  const [fixed = [], inputs = []] = [true, false].map((isFixed) =>
    others.filter(({ pointer }) => Object.hasOwn(constants, pointer) === isFixed),
  );
  const values = Object.fromEntries(fixed.map(({ pointer }) => [toName(pointer), constants[pointer]]));
  if (fixed.length > 0) take(`${operation}.constants`, values);
  const amount = readPointer(sample, named.get('amount') ?? '');
  if (typeof amount === 'number') take(`${operation}.amountAs`, 'number');
  if (amount === openText) ask(`${operation}.amountAs`, 'number, perhaps: a variable without quotes stands for it');
  // Inputs that the graph lacks, the required ones first, as rows to be uncommented.
  const isOptional = (pointer: string): boolean => !required.includes(pointer);
  const ordered = inputs.toSorted((one, other) => Number(isOptional(one.pointer)) - Number(isOptional(other.pointer)));
  for (const { name, pointer, value } of ordered.slice(0, maxOffers)) {
    const type = typeof value === 'boolean' ? 'Boolean' : Number.isInteger(value) ? 'Int' : 'String';
    const row = { type, wire: toName(pointer), ...(!isOptional(pointer) && { required: true }) };
    offer(`extra.${inputTypes[operation]}.${toCamelCase(name)}`, row, ask);
  }
}

/** The pointer of each field in a body; what may be something else is unsure. */
function nameFields(operation: WriteName, body: unknown) {
  const { at, inner } = unwrap(body);
  const named = new Map<string, string>();
  const unsure = new Map<string, string>();
  for (const [field, name] of publishedNames(operation)) {
    const row = `${recordKinds[operation]}.${field}`;
    const isOfRecord = Object.hasOwn(contractRows, row);
    const places = isOfRecord ? findPlaces(row as RowId, [inner]) : placesOf([name, field], inner); // hasOwn has proved it
    const minor = field === 'amount' ? findPlaces('account.amountMinor', [inner]).pointers : [];
    const [pointer = minor[0], ...further] = places.pointers;
    // A wallet may be the customer's own, and an amount in another unit needs the row of its unit.
    const isOwnWallet = field === 'collectionWalletId' && places.name.startsWith('wallet');
    const isSure = further.length === 0 && pointer !== minor[0] && !isOwnWallet;
    if (pointer !== undefined) (isSure ? named : unsure).set(field, at + pointer);
  }
  return { named, unsure };
}

/** The places of an input that no record shows, such as an identity number. */
function placesOf(names: readonly string[], body: unknown): ReturnType<typeof findPlaces> {
  const wanted = names.map(normalizeName);
  const nodes = walk(body).filter(
    ({ name, value }) => wanted.includes(normalizeName(name)) && typeof value === 'string',
  );
  return { pointers: nodes.map(({ pointer }) => pointer), name: wanted[0] ?? '' };
}

/** The innermost of objects that are each the only member of the one around it. */
function unwrap(body: unknown, at = ''): { readonly at: string; readonly inner: unknown } {
  const [[name, inner] = ['', undefined], ...others] = isRecord(body) ? Object.entries(body) : [];
  return others.length === 0 && isRecord(inner) ? unwrap(inner, at + toStep(name)) : { at, inner: body };
}

/** The object in which most fields stand; of equally many the outermost. */
function commonParent(pointers: readonly string[]): string {
  const parents = Map.groupBy(pointers, (pointer) => pointer.slice(0, pointer.lastIndexOf('/')));
  const [most] = [...parents].toSorted(
    ([at, one], [place, other]) => other.length - one.length || at.length - place.length,
  );
  return most?.[0] ?? '';
}

/** A pointer as a row names a place: by a name directly in the wrapper. */
function nameBelow(wrapper: string, pointer: string): string {
  const name = pointer.slice(wrapper.length + 1);
  return pointer.startsWith(`${wrapper}/`) && !name.includes('/') ? nameOfStep(name) : pointer;
}

/** The value at a name or JSON pointer of a body. */
export function readPointer(body: unknown, at: string): unknown {
  return at === '' ? undefined : compilePointers([at.startsWith('/') ? at : toStep(at)]).read(body);
}

/** A row that adds to the graph as a question; nothing where the graph refuses it. */
export function offer(row: string, value: object, ask: Draft<string>['ask'], remark = ''): void {
  if (checkRow(row, value).faults.length > 0) return;
  const members = Object.entries(value).map(([name, inner]) => `${name}: ${JSON.stringify(inner)}`);
  ask(row, `{ ${members.join(', ')} }${remark}`);
}

export function toCamelCase(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]+([A-Za-z0-9])?/g, (_, letter?: string) => (letter ?? '').toUpperCase());
}
