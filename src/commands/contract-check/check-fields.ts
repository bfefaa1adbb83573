import { contractRows } from '../../contract/service-rows.ts';
import { isRecord, type PointerRow } from '../../upstream/decoding/field-decoders.ts';
import { numberText, textOrNumber } from '../../upstream/decoding/exact-json.ts';
import { compilePointers } from '../../upstream/decoding/json-pointer.ts';
import { isIdentifier } from '../../upstream/decoding/request-path.ts';
import { epochUnit, isDate, isZoneless, toDateTime } from '../../upstream/decoding/date-time.ts';
import type { RowId } from '../../contract/contract.ts';
import type { CheckRun } from './check-run.ts';
import { isPlainName, normalizeName, describeType, walk, type JsonNode } from './json-shape.ts';

/** Other usual names of a field, normalized. */
export const synonyms: Readonly<Record<string, readonly string[]>> = {
  id: ['uuid', 'uid', 'guid', 'code'],
  reference: ['ref', 'externalreference', 'externalref', 'externalid', 'customerreference', 'merchantreference'],
  firstName: ['givenname', 'forename', 'first'],
  lastName: ['familyname', 'surname', 'last'],
  email: ['emailaddress', 'mail'],
  phone: ['phonenumber', 'phoneno', 'mobile', 'mobilenumber', 'mobileno', 'cellphone', 'telephone', 'msisdn'],
  dateOfBirth: ['dateofbirth', 'birthdate', 'birthday', 'bornon'],
  collectionWalletId: ['collectionwallet', 'walletid', 'wallet'],
  // prettier-ignore
  createdAt: [
    'created', 'createdon', 'datecreated', 'createdtime', 'createdatms', 'creationdate', 'timestamp', 'paidat',
    'registered', 'registeredat', 'registeredon', 'openedat', 'openedon', 'postedat', 'bookedat',
  ],
  name: ['label'],
  // prettier-ignore
  updatedAt: [
    'updated', 'updatedon', 'dateupdated', 'updatedatms', 'lastupdated', 'lastupdatedat', 'changedat', 'modified',
    'modifiedat', 'modifiedon', 'modifiedatms', 'lastmodified', 'datemodified', 'amended', 'amendedat',
  ],
  expiresAt: ['expires', 'expiry', 'expirydate', 'expireson', 'expiration'],
  accountNumber: ['accountno', 'nuban', 'number'],
  accountName: ['accountholder', 'holder', 'holdername', 'beneficiary', 'beneficiaryname'],
  bankName: ['bank', 'institution', 'institutionname'],
  bankCode: ['institutioncode', 'sortcode', 'routingnumber', 'routing'],
  bankSlug: ['slug'],
  status: ['state', 'active', 'isactive', 'enabled'],
  narration: ['description', 'remark', 'remarks', 'memo', 'narrative', 'note'],
  type: ['kind', 'category', 'direction'],
  value: ['balance', 'amount', 'availablebalance', 'currentbalance'],
};

const maxRecords = 20;

type Accepts = (value: unknown) => boolean;

const isText: Accepts = (value) => typeof value === 'string';
const isDigits: Accepts = (value) => isText(value) || /^\d+$/.test(numberText(value) ?? '');
const isStatus: Accepts = (value) => isText(value) || typeof value === 'boolean' || numberText(value) !== undefined;
const isRecordId: Accepts = (value) => isIdentifier(textOrNumber(value) ?? '');
const isAmount: Accepts = (value) => /^-?\d+(?:\.\d+)?$/.test(textOrNumber(value) ?? '');
const isDateTime: Accepts = (value) =>
  epochUnit(numberText(value)) !== undefined || (typeof value === 'string' && toDateTime(value, 'UTC') !== undefined);

/** Tests by field; every other field is text. */
const tests: Readonly<Record<string, Accepts>> = {
  id: isRecordId,
  collectionWalletId: isRecordId,
  accountNumber: isDigits,
  bankCode: isDigits,
  status: isStatus,
  dateOfBirth: (value) => typeof value === 'string' && isDate(value),
  createdAt: isDateTime,
  updatedAt: isDateTime,
  expiresAt: isDateTime,
  currency: (value) => typeof value === 'string' && /^[A-Za-z]{3}$/.test(value),
  value: isAmount,
  amount: isAmount,
  available: isAmount,
  ledger: isAmount,
  valueMinor: isAmount,
  amountMinor: isAmount,
};

/** Rows that are read at the contract's pointers only. */
const fixedRows = /\.(?:\w+Minor|available|ledger)$/;

/** Rows that are no field of a record; other steps check them. */
const otherRows =
  /^customer\.(?:balance|virtualAccounts)$|\.(?:creditWords|debitWords|unit|identifiedBy|customerId|emptyAllowed|readsTogether)$/;

/** Compares the rows of a kind of record, such as `customer`, with records of the service. */
export function checkFields(run: CheckRun, kind: string, records: readonly unknown[]): void {
  const rows = Object.keys(contractRows).filter((id) => id.startsWith(`${kind}.`) && !otherRows.test(id));
  for (const row of rows) checkField(run, row as PointerRow, records.slice(0, maxRecords)); // all fields are pointer rows
}

function checkField(run: CheckRun, row: PointerRow, records: readonly unknown[]): void {
  const field = row.split('.')[1] ?? '';
  const accepts = tests[field] ?? isText;
  const values = records.map((record) => run.read(row, record)).filter((value) => value !== undefined);
  const isKind = field === 'type' && records.some((record) => isKindOfResource(run.contract()[row], record));
  if (values.length > 0 && values.every(accepts) && !isKind) {
    run.confirm(row);
    return checkForm(run, row, field, values);
  }
  const isPresent = records.some((record) => run.contract()[row].some((pointer) => hasKey(record, pointer)));
  if (values.length === 0 && isPresent) return run.confirm(row);
  const pointer = fixedRows.test(row)
    ? undefined
    : findPointer(row, field, isKind ? records.map(withoutKind) : records, accepts);
  if (pointer !== undefined) {
    const pointers: readonly string[] = run.contract()[row];
    run.contradict(row, `it stands at ${pointer}`, pointers.includes(pointer) ? undefined : [pointer]);
    const moved = records.map((record) => run.read(row, record)).filter((value) => value !== undefined);
    return checkForm(run, row, field, moved.filter(accepts));
  }
  if (isKind) {
    run.proposals.set(row, 'pointers, or [] where there is none: /type names the kind of every record');
    return run.contradict(row, '/type names the kind of every record');
  }
  const unreadable = values.find((value) => !accepts(value));
  if (isRecord(unreadable)) return contradictObjects(run, row, records, accepts);
  if (unreadable !== undefined)
    return run.contradict(row, `a value of type ${describeType(unreadable)} that cannot be read`);
  run.skip(row, records.length === 0 ? 'no record was seen' : 'no record carried it');
}

/** Objects in place of a value: their one member that is an amount is meant, and any other one a person must choose. */
function contradictObjects(run: CheckRun, row: PointerRow, records: readonly unknown[], accepts: Accepts): void {
  const reader = compilePointers(run.contract()[row]);
  const present = records.filter((record) => reader.read(record) !== undefined);
  const pointers = present.map((record) => {
    const value = reader.read(record);
    const names = isRecord(value) ? Object.keys(value).filter((name) => accepts(value[name])) : [];
    return names.length === 1 && isPlainName(names.join()) ? `${reader.locate(record)}/${names.join()}` : undefined;
  });
  const [pointer] = pointers;
  if (accepts === isAmount && pointer !== undefined && pointers.every((each) => each === pointer))
    return run.contradict(row, `it stands at ${pointer}`, [pointer]);
  const place = reader.locate(present.find((record) => isRecord(reader.read(record))));
  run.contradict(row, `a value of type object stands at ${place}; a pointer into it could be read`);
  run.proposals.set(row, `a pointer into the object at ${place}, to the member that is meant`);
}

/** Whether a record's fields stand beside its kind, as in JSON:API: `{type, id, attributes}`. */
function isKindOfResource(pointers: readonly string[], record: unknown): boolean {
  return pointers.includes('/type') && isRecord(record) && isRecord(record['attributes']) && isText(record['type']);
}

function withoutKind(record: unknown): unknown {
  return isRecord(record) ? { ...record, type: null } : record;
}

/** Finds a field under another name or at another depth. */
function findPointer(
  row: PointerRow,
  field: string,
  records: readonly unknown[],
  accepts: Accepts,
): string | undefined {
  const published = contractRows[row].value.map((pointer) => normalizeName(pointer.split('/').at(-1) ?? ''));
  // `customer_id` is a customer's id, and /bank/name the name of a bank.
  for (const name of [normalizeName(field), ...published, normalizeName(row), ...(synonyms[field] ?? [])]) {
    for (const record of records.filter(isRecord)) {
      const isNamed = (node: JsonNode): boolean =>
        normalizeName(node.pointer) === name || (normalizeName(node.name) === name && isOwn(row, node, record));
      const node = walk(record).find((each) => isNamed(each) && accepts(each.value));
      if (node !== undefined) return node.pointer;
    }
  }
  return undefined;
}

/** Parts of a record that are not records of their own, unlike a guardian inside a customer. */
const partNames =
  /^(?:data|attributes|details?|info|profile|personal\w*|bio\w*|identity|contacts?|names?|meta(?:data)?|wallet|timestamps|dates)$/;

/** Whether a value stands in the record itself, or in a part of it. A single key is the record's wrapper. */
function isOwn(row: PointerRow, { pointer }: JsonNode, record: object): boolean {
  const [kind = ''] = row.split('.');
  const wrappers = Object.keys(record).length === 1 ? 1 : 0;
  const parents = pointer
    .split('/')
    .slice(1 + wrappers, -1)
    .map(normalizeName);
  return parents.every((parent) => parent === normalizeName(kind) || partNames.test(parent));
}

/** Whether a record has the key that a pointer names, whatever its value: a field that is null has no other name. */
export function hasKey(record: unknown, pointer: string): boolean {
  const end = pointer.lastIndexOf('/');
  const parent = end > 0 ? compilePointers([pointer.slice(0, end)]).read(record) : record;
  const key = pointer
    .slice(end + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');
  return end >= 0 && isRecord(parent) && Object.hasOwn(parent, key);
}

/** Checks the rows that say in which form values of one sort come: times, statuses, account numbers and bank codes. */
function checkForm(run: CheckRun, row: RowId, field: string, values: readonly unknown[]): void {
  if (tests[field] === isDateTime) return checkTimes(run, values);
  if (field === 'accountNumber' || field === 'bankCode') return checkDigits(run, `${field}.digits`, values);
  if (field !== 'status') return;
  const codes = values.filter((value) => !isText(value));
  const words = run.contract()['status.words'];
  const unmapped = codes.find((value) => !Object.hasOwn(words, numberText(value) ?? String(value)));
  if (unmapped !== undefined) {
    run.contradict('status.words', `${row} comes as a ${describeType(unmapped)} without a word for it`);
    const hint = typeof unmapped === 'boolean' ? "{ 'true': …, 'false': … }" : "{ '0': …, '1': … }";
    run.proposals.set('status.words', `${hint}: ${row} comes as a ${describeType(unmapped)}`);
  } else if (codes.length > 0) run.confirm('status.words');
}

function checkTimes(run: CheckRun, values: readonly unknown[]): void {
  const units = values.flatMap((value) => epochUnit(numberText(value)) ?? []);
  const [unit] = units;
  if (unit !== undefined) run.compare('times.numbers', unit, `times come as numbers of ${unit}`);
  if (!values.some((value) => typeof value === 'string' && isZoneless(value))) return;
  run.skip('times.zone', 'times come without a zone: you decide');
  if (run.isOverridden('times.zone')) return;
  run.suggest('times.zone', 'undecided');
  run.proposals.set('times.zone', "UTC or an offset such as '+01:00': times without a zone were seen");
}

/** Digits of account numbers and bank codes in the published service's country. */
export const usualDigits = { 'accountNumber.digits': 10, 'bankCode.digits': 3 } as const;

/** Numbers lose their zeros in front: none is shorter than usual, and the longest one seen may be longer. */
function checkDigits(run: CheckRun, row: keyof typeof usualDigits, values: readonly unknown[]): void {
  const lengths = values.flatMap((value) => numberText(value)?.length ?? []);
  if (lengths.length === 0) return;
  const digits = Math.max(run.contract()[row] ?? usualDigits[row], ...lengths);
  run.compare(row, digits, `JSON numbers of at most ${digits} digits`);
}
