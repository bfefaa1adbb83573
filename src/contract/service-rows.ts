import { z } from 'zod';
import {
  assumption,
  at,
  choice,
  collectionPath,
  dateForms,
  pageStyles,
  decision,
  fact,
  pathCharacters,
  pointers,
  spelt,
  words,
  type DateForm,
  type Row,
  type MoneyUnit,
  type PageStyle,
  type PathCharacter,
} from './row.ts';
import { filterRows, listRows, ownListRows } from './list-rows.ts';
import { recordRows, textNames } from './records.ts';
import { emptyAllowedRows, operationRows } from './operation-rows.ts';
import { isConstantHeader, isKeyHeader } from '../config/rules.ts';
import { currencyDigits } from './money.ts';

const pageStyle = (): Row<PageStyle> =>
  choice('pages are numbered; none: one answer is the whole list; undecided: the list is not served', pageStyles);

const unitOf = (what: string, from = 'money.unit'): Row<MoneyUnit | null> =>
  decision<MoneyUnit>(`the unit of ${what}, if it differs from ${from}`, z.enum(['major', 'minor']).nullable());

const wordsOf = (what: string): Row<Readonly<Record<string, string>> | null> =>
  assumption<Readonly<Record<string, string>> | null>(
    `the words of the statuses of ${what}, if they differ from status.words`,
    null,
    z.record(z.string(), z.string().min(1)).nullable(),
  );

const digits = (what: string): Row<number | null> =>
  assumption<number | null>(
    `${what} are texts; a JSON number is padded with leading zeros to this many digits`,
    null,
    z.number().int().min(1).max(34).nullable(),
  );

type MinorDigits = number | Readonly<Record<string, number>> | null;
const minorDigits = z.number().int().min(0).max(4);

/** Usual names of a flag of success, and of a code that tells success as well as failure. */
const flags = spelt('success', 'is_success', 'successful', 'is_successful', 'request_successful');
const codes = ['response_code', 'result_code'];

/** Values of a flag in the body. */
const values = z.array(z.union([z.string(), z.number(), z.boolean()]));

const serviceRows = {
  'service.prefix': fact('1', '/api/v1', z.literal('').or(collectionPath)),
  'service.contentType': fact(
    '4',
    'application/json',
    z
      .string()
      .regex(
        /^(?:[\w.-]+\/(?:[\w.-]+\+)?json|application\/x-www-form-urlencoded)(?:; ?(?:charset=utf-8|(?!charset)[\w-]+=[\w.+-]+))?$/i,
        'a media type of JSON such as application/vnd.api+json, or application/x-www-form-urlencoded, in UTF-8',
      ),
  ),
  'service.bearerScheme': fact(
    '5',
    'Bearer',
    z.string().regex(/^[A-Za-z][A-Za-z-]{0,29}$/, 'a scheme of the Authorization header such as Token, or Basic'),
  ),
  'service.formNames': choice('a value inside an object has in a form the name customer[type]; dots: customer.type', [
    'brackets',
    'dots',
  ]),
  'service.headers': assumption<Readonly<Record<string, string>>>(
    'none are published; headers that each call has alike, such as a version or a client id, never a credential',
    {},
    z
      .record(z.string(), z.string().regex(/^[!-~](?:[ -~]{0,198}[!-~])?$/, 'a text of 1 to 200 visible characters'))
      .refine(
        (headers) => Object.keys(headers).every(isConstantHeader),
        'names of headers that have no meaning in HTTP and are no credential',
      ),
  ),
  'identifiers.inBody': choice('identifiers in bodies are texts; number: one of at most 15 digits is a JSON number', [
    'text',
    'number',
  ]),
  'identifiers.allow': assumption<readonly PathCharacter[]>(
    'no identifier is published; allow one of these only where no proxy before the service decodes paths before it routes',
    [],
    z.array(z.enum(pathCharacters)),
  ),
  'envelope.success': at(...flags, ...spelt(...codes)),
  'envelope.successValues': assumption(
    'what means success there, whatever its case; a value of neither list is a sign of failure',
    [true, 'true', 'success', 'successful', 'ok', '00', '000', 200, 201],
    values,
  ),
  'envelope.failureValues': assumption(
    'what means failure there, whatever its case: it refuses a write',
    [false, 'false', 'error', 'fail', 'failed', 'failure', 'unsuccessful'],
    values,
  ),
  'envelope.data': assumption(
    '`{success, message, data}`; without it the record stands beside the flag',
    ['/data'],
    pointers,
  ),
  'envelope.code': assumption(
    'the code of a failure: an HTTP status from 400, or what errors.statuses names',
    spelt('code', 'status_code', ...codes, 'error_code'),
    pointers,
  ),
  'envelope.failure': assumption(
    'anything there but an empty value, false or 0 is a sign of failure',
    spelt('error', 'has_error', 'is_error'),
    pointers,
  ),
  'envelope.failureKeys': assumption('further places like envelope.failure', [], pointers),
  'errors.statuses': assumption(
    'codes in the body are HTTP statuses; a code named here also refines a 4xx other than 401, 408 and 429, as does the status itself (403) where the body has no code',
    {},
    z.record(z.string(), z.number().int().min(400).max(599)),
  ),
  'errors.message': at('/message', '/error/message', '/error'),
  'errors.fields': at('/errors'),
  'errors.noField': assumption(
    'names of entries that are about no field',
    ['non_field_errors', 'base', '__all__', '_schema', 'general'],
    words,
  ),
  'errors.sentenceFields': assumption(
    'wire names of inputs: a sentence that begins with one of them, as in `phone must be …`, is about that field',
    [],
    words,
  ),
  'errors.entryField': at('/field', '/param', '/path', '/source/pointer', '/loc'),
  'errors.entryMessage': at('/message', '/detail', '/msg', '/title'),
  'errors.refusalStatuses': assumption(
    'the statuses that a caller can act on; another unknown 4xx is a refusal only with a negative flag',
    [400, 409, 422],
    z.array(
      z
        .number()
        .int()
        .min(400)
        .max(499)
        .refine((status) => ![401, 403, 404, 408, 429].includes(status), 'a status without a meaning of its own here'),
    ),
  ),
  'errors.duplicateCodes': assumption('none is published; values at envelope.code that mean a duplicate', [], words),
  'errors.duplicateStatuses': assumption(
    'none: 409 may mean a conflict of another sort; a code that errors.statuses maps to 409 is a duplicate all the same',
    [],
    z.array(z.number().int().min(400).max(451)),
  ),
  'errors.duplicateTexts': assumption(
    'a refusal whose sentence has one of these is ALREADY_EXISTS',
    ['already exists', 'already been taken', 'already registered', 'already in use', 'duplicate'],
    words,
  ),
  'writes.failureStatuses': assumption(
    'a record with such a status, whatever its case, does not prove that a write was done',
    ['failed', 'failure', 'unsuccessful', 'declined', 'rejected', 'error'],
    words,
  ),
  'writes.progressTexts': assumption(
    'a 409 with one of these in any text leaves open what happened: an earlier request may still be carried out',
    ['in progress', 'being processed', 'still processing', 'still pending', 'lock', 'concurrent', 'try again'],
    words,
  ),
  'writes.acceptedStatuses': assumption(
    'statuses that are a flag of success by themselves, such as 202 with nothing but an id and a status',
    [],
    z.array(z.number().int().min(200).max(299)),
  ),
  'writes.idempotencyHeader': assumption<string | null>(
    'none is published; each write has a key of its own there, and a create repeated with its idempotency key has the same',
    null,
    z.string().refine(isKeyHeader, 'the name of a header for idempotency keys').nullable(),
  ),
  'listSettlementBanks.pageStyle': pageStyle(),
  'listCustomers.pageStyle': pageStyle(),
  'listCustomerTransactions.pageStyle': pageStyle(),
  'listCustomerVirtualAccounts.pageStyle': pageStyle(),
  ...listRows,
  ...ownListRows(),
  ...filterRows,
  'money.unit': decision<MoneyUnit>(
    'whether the number 500 means 500.00 (major) or 5.00 (minor: by the decimals of ISO 4217, of XOF none)',
    z.enum(['major', 'minor']).nullable(),
  ),
  'money.minorDigits': assumption<MinorDigits>(
    'null: a minor unit has the decimals of ISO 4217 (of XOF none); else how many, of every currency or of each named one',
    null,
    z
      .union([minorDigits, z.record(z.string().regex(/^[A-Z]{3}$/, 'an ISO 4217 code such as XOF'), minorDigits)])
      .nullable(),
  ),
  'money.texts': assumption<readonly ('thousands' | 'zeros')[]>(
    'what amounts as texts may have beside their digits. thousands: commas, as in 1,057.60; zeros: behind the last decimal, as in 1057.6000',
    [],
    z.array(z.enum(['thousands', 'zeros'])),
  ),
  'money.currency': decision<string>(
    'ISO 4217; no currency is published',
    z
      .string()
      .regex(/^[A-Z]{3}$/, 'an ISO 4217 code such as NGN')
      .refine((code) => currencyDigits(code) !== undefined, 'an ISO 4217 code such as NGN')
      .nullable(),
  ),
  'balance.unit': unitOf('balances'),
  'transaction.unit': unitOf('transactions'),
  'account.unit': unitOf('one-time accounts'),
  'createCustomerOneTimeAccount.unit': unitOf('the amount sent'),
  'customer.balance.unit': unitOf('a balance inside a customer', 'balance.unit'),
  'dates.form': fact<DateForm>('2', 'YYYY-MM-DD', z.enum(dateForms)),
  'phone.form': fact<'+digits' | 'digits'>('2', '+digits', z.enum(['+digits', 'digits'])),
  'times.numbers': choice(
    'times are texts; a number, or a text of digits, may be the seconds or milliseconds since 1970',
    ['refused', 'seconds', 'milliseconds'],
  ),
  'times.form': choice(
    'the form of the date in a time whose date could be read in two ways; YYYY-MM-DD and names of months are always read',
    dateForms,
  ),
  'times.none': assumption('texts of dates and times that mean none, such as 0000-00-00 00:00:00', [], words),
  'texts.numbers': assumption<readonly string[]>(
    'fields that are texts here and numbers at the service: read with every digit, and sent as a JSON number of at most 15 digits',
    [],
    z.array(z.enum([...new Set(textNames)])),
  ),
  'accountNumber.digits': digits('account numbers'),
  'bankCode.digits': digits('bank codes'),
  'status.words': assumption<Readonly<Record<string, string>>>(
    'a status is a text; a boolean, a number or another text may be mapped to one',
    {},
    z.record(z.string(), z.string().min(1)),
  ),
  'customer.status.words': wordsOf('customers'),
  'transaction.status.words': wordsOf('transactions'),
  'account.status.words': wordsOf('accounts'),
  'times.zone': assumption(
    'times without a zone are UTC; undecided: such a time fails its field',
    'UTC',
    z.string().regex(/^(?:UTC|undecided|[+-](?:0\d|1[0-4]):[0-5]\d)$/, 'UTC, undecided, or an offset such as +01:00'),
  ),
} as const;

/**
 * The contract: every path, method and wire name of the payments service that the gateway uses stands here and nowhere
 * else.
 */
export const contractRows = { ...operationRows, ...recordRows, ...emptyAllowedRows, ...serviceRows };
