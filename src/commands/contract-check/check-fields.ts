import { contractRows } from '../../contract/service-rows.ts';
import { isRecord, type PointerRow } from '../../upstream/decoding/field-decoders.ts';
import { numberText, textOrNumber } from '../../upstream/decoding/exact-json.ts';
import { compilePointers } from '../../upstream/decoding/json-pointer.ts';
import { isIdentifier } from '../../upstream/decoding/request-path.ts';
import { epochUnit, isDate, isZoneless, toDateTime } from '../../upstream/decoding/date-time.ts';
import type { RowId } from '../../contract/contract.ts';
import type { CheckRun } from './check-run.ts';
import { isPlainName, namesOfMoney, normalizeName, describeType, walk, type JsonNode } from './json-shape.ts';

/** Other usual names of a field, normalized. */
export const synonyms: Readonly<Record<string, readonly string[]>> = {
  id: ['uuid', 'uid', 'guid', 'code'],
  reference: [
    'ref',
    'externalreference',
    'externalref',
    'extref',
    'externalid',
    'customerreference',
    'merchantreference',
  ],
  firstName: ['givenname', 'forename', 'first'],
  lastName: ['familyname', 'surname', 'last'],
  email: ['emailaddress', 'mail'],
  phone: ['phonenumber', 'phoneno', 'mobile', 'mobilenumber', 'mobileno', 'cellphone', 'telephone', 'msisdn'],
  dateOfBirth: ['dateofbirth', 'birthdate', 'birthday', 'bornon'],
  collectionWalletId: ['collectionwallet', 'walletid', 'wallet'],
  // prettier-ignore
  createdAt: [
    'created', 'createdon', 'datecreated', 'createdtime', 'createdatms', 'creationdate', 'timestamp', 'paidat',
    'registered', 'registeredat', 'registeredon', 'openedat', 'openedon', 'postedat', 'bookedat', 'transactiondate', 'completedat',
    'completedon',
  ],
  name: ['label'],
  // prettier-ignore
  updatedAt: [
    'updated', 'updatedon', 'dateupdated', 'updatedatms', 'lastupdated', 'lastupdatedat', 'changedat', 'modified',
    'modifiedat', 'modifiedon', 'modifiedatms', 'lastmodified', 'datemodified', 'amended', 'amendedat',
  ],
  expiresAt: ['expires', 'expiry', 'expirytime', 'expirydate', 'expireson', 'expiration'],
  accountNumber: ['accountno', 'nuban', 'number'],
  accountName: ['accountholder', 'holder', 'holdername', 'beneficiary', 'beneficiaryname'],
  bankName: ['bank', 'institution', 'institutionname'],
  bankCode: ['institutioncode', 'sortcode', 'routingnumber', 'routing'],
  bankSlug: ['slug'],
  status: ['state', 'active', 'isactive', 'enabled', 'accountstatus', 'paymentstatus'],
  narration: [
    'description',
    'remark',
    'remarks',
    'memo',
    'narrative',
    'note',
    'summary',
    'paymentdescription',
    'remittanceinformation',
  ],
  type: ['kind', 'category', 'direction'],
  currency: ['currencycode', 'ccy'],
  value: ['balance', 'amount', 'availablebalance', 'currentbalance'],
  amount: ['amt'],
  valueMinor: ['balancecents', 'availablekobo', 'availablecents', 'availablebalancekobo', 'amountkobo'],
  amountMinor: ['amountinkobo', 'amountcents', 'amountincents', 'minoramount'],
};

/** Other words for the record of a kind. */
const otherKinds: Readonly<Record<string, readonly string[]>> = {
  customer: ['client'],
  transaction: ['txn', 'tx', 'trx'],
};

/** A field's name with that of its record in front, normalized: `client_reference` is a customer's reference. */
export function ownNames(kind: string, field: string): readonly string[] {
  return [kind, ...(otherKinds[kind] ?? [])].map((word) => normalizeName(word + field));
}

const maxRecords = 20;

type Accepts = (value: unknown) => boolean;

const isText: Accepts = (value) => typeof value === 'string';
const isDigits: Accepts = (value) => isText(value) || /^\d+$/.test(numberText(value) ?? '');
const isStatus: Accepts = (value) => isText(value) || typeof value === 'boolean' || numberText(value) !== undefined;
export const isRecordId: Accepts = (value) => isIdentifier(textOrNumber(value) ?? '');
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

/** Further balances, which the graph has only where the contract maps them. */
const fixedRows = /\.(?:available|ledger)(?:Minor)?$/;

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
  const amounts =
    values.length === 0 && /^(?:balance\.value|transaction\.amount)$/.test(row) ? findAmounts(records) : [];
  const pointer = fixedRows.test(row)
    ? undefined
    : (findPointer(row, field, isKind ? records.map(withoutKind) : records, accepts) ??
      (amounts.length === 1 ? amounts[0] : undefined));
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
  if (amounts.length > 1) {
    run.proposals.set(row, `a pointer to the amount that is meant: there are ${amounts.join(', ')}`);
    return run.contradict(row, `amounts with their currency stand at ${amounts.join(', ')}`);
  }
  const unreadable = values.find((value) => !accepts(value));
  if (isRecord(unreadable)) return contradictObjects(run, row, records, accepts);
  if (unreadable !== undefined)
    return run.contradict(row, `a value of type ${describeType(unreadable)} that cannot be read`);
  if (field === 'currency') suggestCurrency(run, row, records);
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
  return isRecord(record) ? Object.fromEntries(Object.entries(record).filter(([name]) => name !== 'type')) : record;
}

/** Finds a field under another name or at another depth. */
function findPointer(
  row: PointerRow,
  field: string,
  records: readonly unknown[],
  accepts: Accepts,
): string | undefined {
  const [kind = ''] = row.split('.');
  const published = contractRows[row].value.map((pointer) => normalizeName(pointer.split('/').at(-1) ?? ''));
  const find = (name: string, isWanted: Accepts): string | undefined =>
    records
      .filter(isRecord)
      .flatMap((record) => walk(record).filter((node) => isWanted(node.value) && isNamed(row, name, node, record)))[0]
      ?.pointer;
  const findFirst = (names: readonly string[], isWanted: Accepts): string | undefined =>
    names.map((name) => find(name, isWanted)).find((pointer) => pointer !== undefined);
  // `customer_id` is a customer's id. A name of the field's own, even with null, is not replaced by a synonym.
  const own = [normalizeName(field), ...published, ...ownNames(kind, normalizeName(field))];
  const isNull: Accepts = (value) => value === null;
  const others = synonyms[field] ?? [];
  const ofKind = Object.hasOwn(otherKinds, kind) ? others.flatMap((name) => ownNames(kind, name)) : [];
  return findFirst(own, accepts) ?? findFirst(own, isNull) ?? findFirst([...others, ...ofKind], accepts);
}

/** Whether a value has this normalized name: its key, or its way from the record, as in /bank/name. */
function isNamed(row: PointerRow, name: string, node: JsonNode, record: object): boolean {
  const isWay = [node.pointer, withoutParts(node.pointer)].some((path) => normalizeName(path) === name);
  return isWay || (normalizeName(node.name) === name && isOwn(row, node, record));
}

/**
 * The currency beside an amount that stands in an object. Unmapped it contradicts nothing: the gateway compares it with
 * the decided one. An entry of a list was chosen by its own.
 */
function suggestCurrency(run: CheckRun, row: PointerRow, records: readonly unknown[]): void {
  const amountRow = row.replace(/^balance.currency$/, 'balance.value').replace('currency', 'amount') as PointerRow; // of the same kind
  const [amount = ''] = run.contract()[amountRow];
  const parent = amount.slice(0, amount.lastIndexOf('/'));
  const money = parent === '' || parent.includes('[') ? [] : records.map(compilePointers([parent]).read);
  const name = money.map(namesOfMoney).find((names) => names !== undefined)?.currency;
  if (name === undefined) return;
  run.suggest(row, [`${parent}/${name}`]);
  run.skip(row, `it stands beside the amount, at ${parent}/${name}`);
}

/** Amounts beside their currency, in objects below the first record that has any: `/money/value`. */
function findAmounts(records: readonly unknown[]): readonly string[] {
  const amounts = records.map((record) =>
    walk(record).flatMap(({ pointer, value }) => {
      const amount = pointer === '' ? undefined : namesOfMoney(value)?.amount;
      return isRecord(value) && amount !== undefined && isAmount(value[amount]) ? [`${pointer}/${amount}`] : [];
    }),
  );
  return amounts.find(({ length }) => length > 0) ?? [];
}

/** Parts of a record that are not records of their own, unlike a guardian inside a customer. */
const partNames =
  /^(?:data|attributes|details?|info|profile|personal\w*|bio\w*|identity|contacts?|(?:full)?names?|meta(?:data)?|wallet|timestamps|dates)$/;

/** A pointer without the parts of a record on its way: /attributes/bank/name is the name of a bank, too. */
function withoutParts(pointer: string): string {
  const steps = pointer.split('/');
  return steps.filter((step, index) => index === steps.length - 1 || !partNames.test(normalizeName(step))).join('/');
}

/** Whether a value stands in the record itself, or in a part of it. A single key is the record's wrapper. */
function isOwn(row: PointerRow, { pointer }: JsonNode, record: object): boolean {
  const [kind = '', field = ''] = row.split('.');
  const wrappers = Object.keys(record).length === 1 ? 1 : 0;
  const isOfBank = (parent: string): boolean => field.startsWith('bank') && /^(?:bank|institution)$/.test(parent);
  const parents = pointer
    .split('/')
    .slice(1 + wrappers, -1)
    .map(normalizeName);
  return parents.every((parent) => parent === normalizeName(kind) || partNames.test(parent) || isOfBank(parent));
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
  // The status of a settlement bank is no field of the graph.
  if (field !== 'status' || row === 'settlementBank.status') return;
  const codes = values.filter((value) => !isText(value));
  const words = run.contract()['status.words'];
  const unmapped = codes.find((value) => !Object.hasOwn(words, numberText(value) ?? String(value)));
  if (unmapped !== undefined) {
    run.contradict('status.words', `${row} comes as a ${describeType(unmapped)} without a word for it`);
    const hint = typeof unmapped === 'boolean' ? "{ 'true': …, 'false': … }" : "{ '0': …, '1': … }";
    const evidence = `${hint}: ${row} comes as a ${describeType(unmapped)}`;
    const ofOthers = run.proposals.get('status.words') ?? evidence;
    run.proposals.set('status.words', ofOthers.includes(evidence) ? ofOthers : `${ofOthers}; ${evidence}`);
  } else if (codes.length > 0) run.confirm('status.words');
}

function checkTimes(run: CheckRun, values: readonly unknown[]): void {
  const units = values.flatMap((value) => epochUnit(numberText(value)) ?? []);
  const [unit] = units;
  if (unit !== undefined) run.compare('times.numbers', unit, `times come as numbers of ${unit}`);
  if (!values.some((value) => typeof value === 'string' && isZoneless(value))) return;
  run.skip('times.zone', 'times come without a zone: you decide');
  if (run.isOverridden('times.zone') && run.contract()['times.zone'] !== 'undecided') return;
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
