import { parameterNames, reservedNames } from '../../../contract/addressing.ts';
import { listFields } from '../../../contract/extra-rows.ts';
import { listNames } from '../../../contract/operation-rows.ts';
import { kindsOf } from '../../contract-cases/operation-kinds.ts';
import { searchNames } from '../../contract-check/check-lists.ts';
import { hasKey } from '../../contract-check/check-fields.ts';
import { normalizeName } from '../../contract-check/json-shape.ts';
import type { ApiParameter } from '../api.ts';
import type { RecordsByKind } from './answer-rows.ts';
import { toCamelCase, type Collector } from '../collector.ts';
import { directionNames } from './word-rows.ts';
import { isInQuery, pageParametersOf } from './request-rows.ts';
import type { FoundMatch } from '../match-operations.ts';

const credentialNames =
  /^(?:(?:api|app|access|auth|secret|private|public|merchant|client)?(?:key|token|secret)|signature)$/;

/** Rows of filters: those that the graph has, and comments on those that it lacks. */
export function collectFilters(collector: Collector, matches: readonly FoundMatch[], records: RecordsByKind): void {
  for (const list of listNames) {
    const match = matches.find(({ operation }) => operation === list);
    if (match === undefined) continue;
    const { api, path } = match;
    const { position, size } = pageParametersOf(api);
    const filters = api.query.filter((each) => each !== position && each !== size && !isInQuery(path, each.name));
    const isSearched = list === 'listCustomers' || list === 'listSettlementBanks';
    const search = filters.find(
      ({ name }) => isSearched && searchNames.map(normalizeName).includes(normalizeName(name)),
    );
    const type = list === 'listCustomerTransactions' ? findType(collector, filters, records) : undefined;
    if (search !== undefined && isSearched) collector.set(`${list}.search`, search.name, api.place);
    if (type !== undefined) collector.set('listCustomerTransactions.type', type.name, api.place);
    const rows = collector.contract();
    const taken = new Set([...parameterNames(rows, list), ...reservedNames(rows, list)]);
    for (const { name, isRequired } of filters.filter((each) => each !== search && each !== type)) {
      if (credentialNames.test(normalizeName(name))) {
        collector.note(api.place, `a credential in the parameter ${name}; the gateway sends none there`);
        continue;
      }
      if (isRequired) collector.note(api.place, 'requires a parameter that the gateway does not send');
      if (taken.has(name)) {
        collector.note(api.place, `the parameter ${name} is no filter: a row of this list has its name`);
        continue;
      }
      const isCarried = records.get(kindsOf[list])?.some((record) => hasKey(record, `/${name}`)) === true;
      const matched = isCarried ? `/${name}` : 'none';
      const row = `extra.${listFields[list]}.${toCamelCase(name)}`;
      collector.propose(row, { wire: name, matches: matched }, api.place);
    }
  }
}

/** The parameter with the name of the field that is a transaction's type; one of another usual name is left to a person. */
function findType(
  { comment, contract }: Collector,
  filters: readonly ApiParameter[],
  records: RecordsByKind,
): ApiParameter | undefined {
  const transactions = records.get('transaction') ?? [];
  const pointers = contract()['transaction.type'];
  const fields =
    transactions.length === 0 ? pointers : pointers.filter((at) => transactions.some((each) => hasKey(each, at)));
  const names = new Set(fields.map((pointer) => normalizeName(pointer.split('/').at(-1) ?? '')));
  const type = filters.find(({ name }) => names.has(normalizeName(name)));
  const other = filters.find(({ name }) => /type|category|kind/i.test(name) || directionNames.test(name));
  if (type === undefined && other !== undefined)
    comment(
      `listCustomerTransactions.type: # unsure: ${other.name}, perhaps: no row says that its values are those of a type`,
    );
  return type;
}
