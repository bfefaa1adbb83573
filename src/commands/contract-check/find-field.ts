import { dateForms, type DateForm } from '../../contract/row.ts';
import { contractRows } from '../../contract/service-rows.ts';
import { epochUnit, readDate, toDateTime } from '../../contract/date-time.ts';
import { numberText, textOrNumber } from '../../upstream/decoding/exact-json.ts';
import { isRecord, type PointerRow } from '../../upstream/decoding/field-decoders.ts';
import { isIdentifier } from '../../upstream/decoding/identifiers.ts';
import { normalizeName, walk, type JsonNode } from './json-shape.ts';

/** Other usual names of a field, normalized. */
// prettier-ignore
export const synonyms: Readonly<Record<string, readonly string[]>> = {
  id: ['uuid', 'uid', 'guid', 'pk', 'code'],
  // Its code is the bank's.
  'settlementBank.id': ['uuid', 'uid', 'guid', 'pk'],
  reference: [
    'ref', 'externalreference', 'externalref', 'extref', 'externalid', 'customerreference', 'merchantreference',
    'referenceid', 'clientreference',
  ],
  firstName: ['givenname', 'forename', 'first'],
  lastName: ['familyname', 'surname', 'last'],
  email: ['emailaddress', 'mail'],
  phone: ['phonenumber', 'phoneno', 'mobile', 'mobilephone', 'mobilenumber', 'mobileno', 'cellphone', 'telephone', 'msisdn', 'contact'],
  dateOfBirth: ['dateofbirth', 'birthdate', 'birthday', 'bornon'],
  collectionWalletId: ['collectionwallet', 'walletid', 'walletcode', 'wallet'],
  createdAt: [
    'created', 'createdon', 'createddate', 'createtime', 'datecreated', 'createdtime', 'createdatms', 'creationdate', 'timestamp', 'paidat',
    'registered', 'registeredat', 'registeredon', 'openedat', 'openedon', 'postedat', 'bookedat', 'completedat',
    'completedon', 'transactiondate',
  ],
  name: ['label', 'nickname'],
  updatedAt: [
    'updated', 'updatedon', 'updatetime', 'dateupdated', 'updatedatms', 'lastupdated', 'lastupdatedat', 'changedat', 'modified',
    'modifiedat', 'modifiedon', 'modifiedatms', 'lastmodified', 'lastmodifieddate', 'datemodified', 'amended', 'amendedat',
  ],
  expiresAt: ['expires', 'expiry', 'expirytime', 'expirydate', 'expireson', 'expiration'],
  accountNumber: ['accountno', 'nuban', 'iban', 'number'],
  accountName: ['accountholder', 'accountholdername', 'holder', 'holdername', 'beneficiary', 'beneficiaryname'],
  bankName: ['bank', 'institution', 'institutionname'],
  bankCode: ['institutioncode', 'sortcode', 'routingnumber', 'routing'],
  bankSlug: ['slug'],
  status: ['state', 'active', 'isactive', 'enabled', 'accountstatus', 'paymentstatus'],
  narration: [
    'description', 'remark', 'remarks', 'memo', 'narrative', 'note', 'summary', 'paymentdescription',
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
  account: ['virtualaccount'],
};

/** A field's name with that of its record in front, normalized: `client_reference` is a customer's reference. */
export function namesWithKind(kind: string, field: string): readonly string[] {
  return [kind, ...(otherKinds[kind] ?? [])].map((word) => normalizeName(word + field));
}

export type Accepts = (value: unknown) => boolean;

export const isText: Accepts = (value) => typeof value === 'string';
const isDigits: Accepts = (value) => isText(value) || /^\d+$/.test(numberText(value) ?? '');
const isStatus: Accepts = (value) => isText(value) || typeof value === 'boolean' || numberText(value) !== undefined;
const isRecordId: Accepts = (value) => isIdentifier(textOrNumber(value) ?? '');
export const isAmount: Accepts = (value) => /^-?\d+(?:\.\d+)?$/.test(textOrNumber(value) ?? '');
const isDateTime: Accepts = (value) =>
  epochUnit(numberText(value)) !== undefined || (typeof value === 'string' && toDateTime(value, 'UTC') !== undefined);

/** A moment as the gateway may read it under its own name, where digits may come as a text. */
export const isMoment: Accepts = (value) => epochUnit(textOrNumber(value)) !== undefined || isDateTime(value);

/** The forms of the row `dates.form` in which all these dates can be read: 10/01/1990 has two. */
export function dateFormsOf(values: readonly string[]): readonly DateForm[] {
  return dateForms.filter((form) => values.every((value) => readDate(value, form) !== undefined));
}

const isAnyDate: Accepts = (value) => typeof value === 'string' && dateFormsOf([value]).length > 0;

/** Tests by field; every other field is text. */
export const acceptsByField: Readonly<Record<string, Accepts>> = {
  id: isRecordId,
  customerId: isRecordId,
  collectionWalletId: isRecordId,
  accountNumber: isDigits,
  bankCode: isDigits,
  status: isStatus,
  dateOfBirth: isAnyDate,
  createdAt: isMoment,
  updatedAt: isMoment,
  expiresAt: isMoment,
  currency: (value) => typeof value === 'string' && /^[A-Za-z]{3}$/.test(value),
  value: isAmount,
  amount: isAmount,
  available: isAmount,
  ledger: isAmount,
  valueMinor: isAmount,
  amountMinor: isAmount,
};

const isTextLike = (form: RegExp): Accepts => {
  return (value) => typeof value === 'string' && form.test(value) && !isDateTime(value) && !isAnyDate(value);
};
const isWord: Accepts = (value) =>
  typeof value === 'boolean' || isTextLike(/^[A-Za-z]+(?:[ _-][A-Za-z]+){0,2}$/)(value);

/** Other forms of a field's value: with no usual name to go by, a person chooses among the values of its form. */
export const formsByField: Readonly<Record<string, Accepts>> = {
  ...acceptsByField,
  email: isTextLike(/@/),
  phone: isTextLike(/^\+?\d[\d ()-]{6,18}$/),
  status: isWord,
  type: isWord,
  direction: isWord,
  reference: isTextLike(/^[^\s@/]+$/),
  accountNumber: (value) => /^\d{6,34}$/.test(textOrNumber(value) ?? ''),
  bankCode: (value) => /^\d{3,9}$/.test(textOrNumber(value) ?? ''),
  createdAt: isDateTime,
  updatedAt: isDateTime,
  collectionWalletId: isTextLike(/^[\w.-]+$/),
};
/** The form of names and sentences. */
export const plainTextForm = isTextLike(/^(?![?/]|https?:)[^@]*[A-Za-z][^@]*$/);

/** Finds a field under another name, or at another depth; by its own names only unless `usesSynonyms`. */
export function findPointer(row: PointerRow, records: readonly unknown[], usesSynonyms: boolean): string | undefined {
  const [kind = '', field = ''] = row.split('.');
  const accepts = acceptsByField[field] ?? isText;
  const published = contractRows[row].value.map((pointer) => normalizeName(pointer.split('/').at(-1) ?? ''));
  const find = (name: string, isWanted: Accepts): string | undefined =>
    records
      .filter(isRecord)
      .flatMap((record) => walk(record).filter((node) => isWanted(node.value) && isNamed(row, name, node, record)))[0]
      ?.pointer;
  const findFirst = (names: readonly string[], isWanted: Accepts): string | undefined =>
    names.map((name) => find(name, isWanted)).find((pointer) => pointer !== undefined);
  // `customer_id` is a customer's id. A name of the field's own, even with null, is not replaced by a synonym.
  const names = usesSynonyms ? (synonyms[row] ?? synonyms[field] ?? []) : [];
  // Any name of an id comes before a reference or an account number, which stand for an id where there is none.
  const usual = field === 'id' ? [...names, ...published] : published;
  const fieldNames = [normalizeName(field), ...namesWithKind(kind, normalizeName(field)), ...usual];
  const isNull: Accepts = (value) => value === null;
  const ofKind = Object.hasOwn(otherKinds, kind) ? names.flatMap((name) => namesWithKind(kind, name)) : [];
  const others = [...names, ...ofKind];
  return findFirst(fieldNames, accepts) ?? findFirst(fieldNames, isNull) ?? findFirst(others, accepts);
}

/** Steps that only contain: what stands below them belongs to the record, or to the step before. */
const containerNames = /^(?:data|attributes|relationships|embedded)$/;

/** Parts of a record that are not records of their own, unlike a guardian inside a customer. */
const partNames =
  /^(?:data|attributes|details?|info|profile|person(?:al)?(?:info(?:rmation)?|data|details?|identity|profile|contacts?|names?)?|bio\w*|identity|contacts?|(?:full)?names?|meta(?:data)?|wallet|timestamps|dates|audit)$/;

/** Parts with a state of their own: the status of a wallet is not its customer's. */
const statefulParts = /^(?:wallet|identity|contacts?)$/;
const ownFields = /^(?:reference|type|status|createdAt|updatedAt)$/;

/**
 * Whether a value has this normalized name: its key, or its path in the record, as in /bank/name. The kind's own name
 * is no part of a path: a settlement_bank inside a settlement bank has its own name.
 */
function isNamed(row: PointerRow, name: string, { pointer, name: key, value }: JsonNode, record: object): boolean {
  const [, field = ''] = row.split('.');
  const steps = pointer.split('/').slice(1);
  // A single key beside links, the cursor of an edge and the like is the record's wrapper.
  const isWrapped = Object.keys(record).filter((each) => !/^(?:_?(?:links|meta)|cursor)$/.test(each)).length === 1;
  const [parents, last] = [steps.slice(isWrapped ? 1 : 0, -1).map(normalizeName), normalizeName(key)];
  const pathWithout = (left: RegExp): string => parents.filter((step) => !left.test(step)).join('') + last;
  const isNamedByPath = [/^$/, containerNames, partNames].some(
    (left) => parents.length > 0 && pathWithout(left) === name,
  );
  if (ownFields.test(field) && parents.some((parent) => statefulParts.test(parent))) return false;
  // A code of up to three characters, or of zeros, is one of the answer, such as 00, and names no record.
  if (field === 'id' && last === 'code' && /^(?:.{0,3}|0+)$/.test(textOrNumber(value) ?? '')) return false;
  if (field === 'id') return last === name && parents.every((parent) => containerNames.test(parent));
  if (isNamedByPath && name !== normalizeName(row)) return true;
  const isOfBank = field.startsWith('bank') && /(?:bank|institution)$/.test(parents.at(-1) ?? '');
  const isOwn = (isOfBank ? parents.slice(0, -1) : parents).every((parent) => partNames.test(parent));
  return isOwn && (last === name || (isOfBank && `bank${last}` === name));
}
