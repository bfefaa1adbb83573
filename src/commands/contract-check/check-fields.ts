import { contractRows } from '../../contract/service-rows.ts';
import type { RowId } from '../../contract/contract.ts';
import { isRecord, type PointerRow } from '../../upstream/decoding/field-decoders.ts';
import { textOrNumber } from '../../upstream/decoding/exact-json.ts';
import { isIdentifier } from '../../upstream/decoding/request-path.ts';
import { compilePointers } from '../../upstream/decoding/json-pointer.ts';
import { isDate, toDateTime } from '../../upstream/decoding/date-time.ts';
import type { Session } from './check-session.ts';
import { bare, typeOf, walk } from './json-shape.ts';

/** Other names that services of this kind use, without case, hyphens and underscores. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
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

/** So many records show what there is to see. */
const maxRecords = 20;

type Accepts = (value: unknown) => boolean;

const isText: Accepts = (value) => typeof value === 'string';
const isRecordId: Accepts = (value) => isIdentifier(textOrNumber(value) ?? '');
const isAmount: Accepts = (value) => /^-?\d+(?:\.\d+)?$/.test(textOrNumber(value) ?? '');
const isMoment: Accepts = (value) => typeof value === 'string' && toDateTime(value, 'UTC') !== undefined;

const kinds: Readonly<Record<string, Accepts>> = {
  id: isRecordId,
  collectionWalletId: isRecordId,
  dateOfBirth: (value) => typeof value === 'string' && isDate(value),
  createdAt: isMoment,
  updatedAt: isMoment,
  expiresAt: isMoment,
  value: isAmount,
  amount: isAmount,
  available: isAmount,
  ledger: isAmount,
  valueMinor: isAmount,
  amountMinor: isAmount,
};

/** Rows of which only the contract's own place is looked at. */
const fixed = /\.(?:\w+Minor|available|ledger|currency)$/;

/** Rows that place no field of a record; they are looked at where they matter. */
const elsewhere =
  /^customer\.(?:balance|virtualAccounts)$|\.(?:creditWords|debitWords|unit|identifiedBy|customerId|emptyAllowed)$/;

/** Compares the rows of a kind of record with records of the service, and finds fields that stand elsewhere. */
export function checkFields(session: Session, kind: string, seen: readonly unknown[]): void {
  const records = seen.slice(0, maxRecords);
  const rows = Object.keys(contractRows).filter((id) => id.startsWith(`${kind}.`)) as PointerRow[]; // a record's rows are pointers, but for those that `elsewhere` names
  for (const row of rows) {
    if (!elsewhere.test(row)) checkField(session, row, records);
  }
}

function checkField(session: Session, row: PointerRow, records: readonly unknown[]): void {
  const field = row.split('.')[1] ?? '';
  const accepts = kinds[field] ?? isText;
  const reader = compilePointers(session.contract()[row]);
  const values = records.map((record) => reader.read(record)).filter((value) => value !== undefined);
  if (values.length > 0 && values.every(accepts)) return session.confirm(row);
  const found = fixed.test(row) ? undefined : findElsewhere(row, field, records, accepts);
  if (found !== undefined) {
    const pointers: readonly string[] = session.contract()[row];
    const isKnown = pointers.includes(found);
    return session.contradict(row, `it stands at ${found}`, isKnown ? undefined : [found]);
  }
  const odd = values.find((value) => !accepts(value));
  if (odd !== undefined) return session.contradict(row, `a value of type ${typeOf(odd)} that cannot be read`);
  session.leave(row, records.length === 0 ? 'no record was seen' : 'no record carried it');
}

/** Where the records carry a field under another name or deeper down. */
function findElsewhere(row: RowId, field: string, records: readonly unknown[], accepts: Accepts): string | undefined {
  const published = (contractRows[row].value as readonly string[]).map((pointer) =>
    bare(pointer.split('/').at(-1) ?? ''),
  );
  const names = [bare(field), ...published, ...(synonyms[field] ?? [])];
  for (const name of names) {
    for (const record of records.filter(isRecord)) {
      const hit = walk(record).find((found) => bare(found.name) === name && accepts(found.value));
      if (hit !== undefined) return hit.pointer;
    }
  }
  return undefined;
}
