import { contractRows } from '../../contract/service-rows.ts';
import { isRecord, type PointerRow } from '../../upstream/decoding/field-decoders.ts';
import { textOrNumber } from '../../upstream/decoding/exact-json.ts';
import { isIdentifier } from '../../upstream/decoding/request-path.ts';
import { isDate, toDateTime } from '../../upstream/decoding/date-time.ts';
import type { CheckRun } from './check-run.ts';
import { findNode, normalizeName, describeType } from './json-shape.ts';

/** Other usual names of a field, normalized. */
export const synonyms: Readonly<Record<string, readonly string[]>> = {
  id: ['uuid', 'uid', 'guid', 'code'],
  reference: ['ref', 'externalreference', 'externalid', 'customerreference'],
  firstName: ['givenname', 'forename'],
  lastName: ['familyname', 'surname'],
  email: ['emailaddress', 'mail'],
  phone: ['phonenumber', 'mobile', 'mobilenumber', 'telephone', 'msisdn'],
  dateOfBirth: ['dateofbirth', 'birthdate', 'birthday'],
  collectionWalletId: ['collectionwallet', 'walletid', 'wallet'],
  createdAt: ['created', 'createdon', 'datecreated', 'createdtime', 'timestamp'],
  updatedAt: ['updated', 'updatedon', 'dateupdated', 'modifiedat'],
  expiresAt: ['expiry', 'expirydate', 'expireson', 'expiration'],
  accountNumber: ['accountno', 'nuban', 'number'],
  bankName: ['bank'],
  narration: ['description', 'remark', 'memo'],
  type: ['kind', 'category'],
  value: ['balance', 'amount', 'availablebalance', 'currentbalance'],
};

const maxRecords = 20;

type Accepts = (value: unknown) => boolean;

const isText: Accepts = (value) => typeof value === 'string';
const isRecordId: Accepts = (value) => isIdentifier(textOrNumber(value) ?? '');
const isAmount: Accepts = (value) => /^-?\d+(?:\.\d+)?$/.test(textOrNumber(value) ?? '');
const isDateTime: Accepts = (value) => typeof value === 'string' && toDateTime(value, 'UTC') !== undefined;

/** Tests by field; every other field is text. */
const tests: Readonly<Record<string, Accepts>> = {
  id: isRecordId,
  collectionWalletId: isRecordId,
  dateOfBirth: (value) => typeof value === 'string' && isDate(value),
  createdAt: isDateTime,
  updatedAt: isDateTime,
  expiresAt: isDateTime,
  value: isAmount,
  amount: isAmount,
  available: isAmount,
  ledger: isAmount,
  valueMinor: isAmount,
  amountMinor: isAmount,
};

/** Rows that are read at the contract's pointers only. */
const fixedRows = /\.(?:\w+Minor|available|ledger|currency)$/;

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
  if (values.length > 0 && values.every(accepts)) return run.confirm(row);
  const pointer = fixedRows.test(row) ? undefined : findPointer(row, field, records, accepts);
  if (pointer !== undefined) {
    const pointers: readonly string[] = run.contract()[row];
    return run.contradict(row, `it stands at ${pointer}`, pointers.includes(pointer) ? undefined : [pointer]);
  }
  const unreadable = values.find((value) => !accepts(value));
  if (unreadable !== undefined)
    return run.contradict(row, `a value of type ${describeType(unreadable)} that cannot be read`);
  run.skip(row, records.length === 0 ? 'no record was seen' : 'no record carried it');
}

/** Finds a field under another name or at another depth. */
function findPointer(
  row: PointerRow,
  field: string,
  records: readonly unknown[],
  accepts: Accepts,
): string | undefined {
  const published = contractRows[row].value.map((pointer) => normalizeName(pointer.split('/').at(-1) ?? ''));
  for (const name of [normalizeName(field), ...published, ...(synonyms[field] ?? [])]) {
    for (const record of records.filter(isRecord)) {
      const node = findNode(record, [name], accepts);
      if (node !== undefined) return node.pointer;
    }
  }
  return undefined;
}
