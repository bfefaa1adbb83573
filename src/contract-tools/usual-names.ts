import type { RowId } from '../contract/contract.ts';
import { contractRows } from '../contract/service-rows.ts';

const gone = ['deletedat', 'isdeleted', 'removed', 'removedat', 'archived', 'archivedat'];

/**
 * Names that payment services use for what a row places, beside those of its default; parameters as they are spelt.
 * Only check and import try them: at run time a row has the places that it names.
 */
// prettier-ignore
const alternatives: Readonly<Partial<Record<RowId, readonly string[]>>> = {
  'settlementBank.id': ['uuid', 'uid', 'guid', 'pk'],
  'settlementBank.name': ['label', 'nickname'],
  'settlementBank.bankSlug': ['slug'],
  'settlementBank.deleted': gone,
  'customer.id': ['uuid', 'uid', 'guid', 'pk', 'code'],
  'customer.reference': [
    'ref', 'externalreference', 'externalref', 'extref', 'externalid', 'merchantreference', 'referenceid',
    'clientreference',
  ],
  'customer.firstName': ['givenname', 'forename', 'first'],
  'customer.lastName': ['familyname', 'surname', 'last'],
  'customer.email': ['emailaddress', 'mail'],
  'customer.phone': [
    'phonenumber', 'phoneno', 'mobile', 'mobilephone', 'mobilenumber', 'mobileno', 'cellphone', 'telephone', 'msisdn',
    'contact',
  ],
  'customer.dateOfBirth': ['birthdate', 'birthday', 'bornon'],
  'customer.type': ['kind', 'category'],
  'customer.status': ['state', 'active', 'isactive', 'enabled'],
  'customer.deleted': gone,
  'customer.collectionWalletId': ['walletid', 'walletcode', 'wallet'],
  'customer.virtualAccounts': ['accounts', 'bankaccounts', 'reservedaccounts', 'dedicatedaccounts'],
  'customer.balance': ['wallet'],
  'balance.value': ['amount', 'availablebalance', 'currentbalance'],
  'balance.valueMinor': ['balancecents', 'availablekobo', 'availablecents', 'availablebalancekobo', 'amountkobo'],
  'transaction.id': ['uid', 'guid', 'pk', 'code'],
  'transaction.reference': ['ref', 'externalreference', 'externalref', 'externalid', 'referenceid'],
  'transaction.narration': [
    'remark', 'remarks', 'memo', 'narrative', 'note', 'summary', 'paymentdescription', 'remittanceinformation',
  ],
  'transaction.type': ['kind', 'category', 'direction'],
  'transaction.direction': ['drcr', 'crdr', 'side', 'flow'],
  'transaction.status': ['state', 'paymentstatus'],
  'account.id': ['uuid', 'uid', 'guid', 'pk'],
  'account.bankName': ['bank', 'institution', 'institutionname'],
  'account.status': ['state', 'active', 'isactive', 'enabled', 'accountstatus'],
  'account.expiresAt': ['expires', 'expiry', 'expirytime', 'expireson', 'expiration'],
  'envelope.success': ['status', 'code', 'ok', 'succeeded', 'statuscode'],
  'envelope.data': ['result', 'response', 'payload', 'item', 'record'],
  'envelope.code': ['status'],
  'envelope.failureKeys': ['errors', 'fault', 'faults', 'failure', 'failures', 'problem', 'exception'],
  'errors.message': [
    'msg', 'description', 'desc', 'detail', 'responsemessage', 'errormessage', 'errordescription', 'text', 'reason',
    'title',
  ],
  'lists.total': ['totalresults', 'totalsize', 'hydratotalitems'],
  'lists.lastPage': ['pages'],
  'lists.nextCursor': ['cursor', 'endcursor', 'next', 'nextpage', 'nextid', 'aftercursor'],
  'lists.hasMore': ['more'],
  'lists.page': ['page', 'pageNumber', 'page_number', 'p', 'page[number]', 'pageIndex', 'page_index', 'pageNo'],
  'lists.perPage': ['per_page', 'limit', 'page_size', 'pageSize', 'perPage', 'size', 'page[size]', 'count', 'take'],
  'lists.limit': ['limit', 'per_page', 'page_size', 'pageSize', 'perPage', 'size', 'page[size]', 'page[limit]', 'count', 'take'],
  'lists.offset': ['offset', 'skip', 'page[offset]', 'start'],
  'lists.cursor': [
    'cursor', 'after', 'starting_after', 'startingAfter', 'afterCursor', 'page_token', 'pageToken', 'next_token', 'page[after]',
    'page[cursor]', 'start_cursor', 'startCursor', 'next_cursor', 'nextCursor', 'token', 'marker',
  ],
  'listCustomerTransactions.createdFrom': [
    'from', 'from_date', 'date_from', 'start_date', 'start_time', 'since', 'created_after', 'created_at_from', 'created_gte',
  ],
  'listCustomerTransactions.createdBefore': [
    'to', 'to_date', 'date_to', 'end_date', 'end_time', 'until', 'created_to', 'created_at_to', 'created_lt', 'created_lte',
  ],
  'listCustomers.search': ['search', 'q', 'query', 'term', 'keyword', 'filter[query]', 'filter[search]', 'filter[q]'],
};

/** A time is named by a verb alone, with a word for the time behind it, or with `date` in front. */
const times = (...verbs: readonly string[]): readonly string[] =>
  verbs.flatMap((verb) => [...['', 'at', 'on', 'date', 'time', 'atms'].map((end) => verb + end), `date${verb}`]);

/** Names of a field that is the same in every kind of record. */
const ofEveryKind: Readonly<Record<string, readonly string[]>> = {
  accountNumber: ['accountno', 'nuban', 'iban', 'number'],
  accountName: ['accountholder', 'accountholdername', 'holder', 'holdername', 'beneficiary', 'beneficiaryname'],
  bankCode: ['institutioncode', 'sortcode', 'routingnumber', 'routing'],
  amount: ['amt'],
  amountMinor: ['amountinkobo', 'amountcents', 'amountincents', 'minoramount'],
  createdAt: [...times('created'), 'createtime', 'creationdate', 'timestamp', ...times('registered', 'opened')],
  updatedAt: [
    ...times('updated'),
    'updatetime',
    ...times('lastupdated', 'changed', 'modified', 'lastmodified', 'amended'),
  ],
  currency: ['currencycode', 'ccy'],
};
const moved = ['paidat', 'postedat', 'bookedat', 'completedat', 'completedon', 'transactiondate'];

/** Other words for the record of a kind: `client_reference` is a customer's reference. */
const kindWords: Readonly<Record<string, readonly string[]>> = {
  customer: ['client'],
  transaction: ['txn', 'tx', 'trx'],
  account: ['virtualaccount'],
};

/** Letters and digits in lower case: `first_name`, `firstName` and `first[name]` are one name. */
export function normalizeName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/**
 * The names under which a row's value may stand, normalized, the likeliest first: its field's own, with and without the
 * word for its record in front, those of its default, then its alternatives. Any name of an id comes before a reference or
 * a number, which stand for one where there is none.
 */
export function usualNames(row: RowId): readonly string[] {
  const [kind = '', field = ''] = row.split('.');
  const own = normalizeName(field);
  const others = alternatives[row] ?? [];
  const common = [...(ofEveryKind[field] ?? []), ...(row === 'transaction.createdAt' ? moved : [])];
  const words = [kind, ...(kindWords[kind] ?? [])].map(normalizeName);
  const alternates = [...others, ...common];
  const usual = field === 'id' ? [...alternates, ...defaultNames(row)] : [...defaultNames(row), ...alternates];
  return [...new Set([own, ...words.map((word) => word + own), ...usual].map(normalizeName))];
}

/** The names of a row of parameters as services spell them. */
export function usualSpellings(row: RowId): readonly string[] {
  return alternatives[row] ?? [];
}

/** The last name of each place, or the name, that is a row's default. */
function defaultNames(row: RowId): readonly string[] {
  const { value } = contractRows[row];
  const places = typeof value === 'string' ? [value] : Array.isArray(value) ? (value as readonly unknown[]) : [];
  const names = places.map((place) => normalizeName(String(place).split('/').at(-1) ?? ''));
  return names.filter((name) => name !== '');
}
