import type { OperationName } from '../../../contract/contract.ts';
import { contractRows } from '../../../contract/service-rows.ts';
import { toDateTime } from '../../../contract/date-time.ts';
import { numberText } from '../../../upstream/decoding/exact-json.ts';
import { compilePointers } from '../../../upstream/decoding/json-pointer.ts';
import { kindsOf } from '../../operation-kinds.ts';
import { isAmount, synonyms } from '../../contract-check/find-field.ts';
import { namesOfMoney, normalizeName, walk, type JsonNode } from '../../contract-check/json-shape.ts';
import { membersOf, type Json } from '../api.ts';
import type { Collector } from '../collector.ts';
import { isTimeName } from '../schema-sample.ts';

/** The graph's types by the kind of their records. */
const types: Readonly<Record<string, string>> = {
  settlementBank: 'SettlementBank',
  customer: 'Customer',
  balance: 'Balance',
  transaction: 'CustomerTransaction',
  account: 'VirtualAccount',
};

export function graphTypeOf(operation: OperationName): string {
  return operation === 'createCustomerOneTimeAccount' ? 'OneTimeAccount' : (types[kindsOf[operation]] ?? '');
}

/** Every usual name of a kind's fields, normalized. */
export function namesOf(kind: string): readonly string[] {
  return Object.entries(contractRows).flatMap(([id, { value }]) => {
    const [owner, field = ''] = id.split('.');
    if (owner !== kind) return [];
    const wires = Array.isArray(value) ? value.map((pointer) => String(pointer).split('/').at(-1) ?? '') : [];
    return [field, ...wires, ...(synonyms[field] ?? [])].map(normalizeName);
  });
}

/** Fields that no row reads, of a record and of its parts that a row reads, as rows that add them to the graph. */
export function commentOnExtras(collector: Collector, type: string, records: readonly Json[]): void {
  const [kind = ''] = Object.entries(types).find(([, each]) => each === type) ?? ['account'];
  const mapped = [...collector.run.corrections].flatMap(([id, at]) =>
    id.startsWith(`${kind}.`) && Array.isArray(at) ? at.map(String) : [],
  );
  const usualNames = new Set([...namesOf(kind), ...mapped.map(normalizeName)]);
  const nodes = new Map(records.flatMap(walk).map((node) => [node.pointer, node]));
  for (const { pointer: place, name, value: member } of nodes.values()) {
    // An object of an amount and its currency is that amount.
    const money = namesOfMoney(member);
    const [pointer, value] = money ? [`${place}/${money.amount}`, membersOf(member)[money.amount]] : [place, member];
    const parent = place.slice(0, place.lastIndexOf('/'));
    const isOfPart = parent === '' || mapped.some((each) => each.startsWith(`${parent}/`));
    const isScalar = typeof value !== 'object' || value === null;
    // The type and id of a record beside its attributes, as in JSON:API.
    const isOfResource = nodes.has('/attributes') && /^\/(?:type|id)$/.test(place);
    const ownName = place.replace(/^\/attributes(?=\/)/, '');
    if (place === '' || !isOfPart || !isScalar || isOfResource) continue;
    if (kind === 'balance' && commentOnBalance(collector, { pointer, name, value }, records)) continue;
    if (usualNames.has(normalizeName(ownName)) || mapped.includes(pointer)) continue;
    const row = { type: money ? 'Money' : extraTypeOf(name, value), at: [pointer] };
    collector.propose(type, ownName.slice(1), row, '', (value ?? null) !== null);
  }
}

/** A further balance is a choice: nothing says what it means. False for a field that is none. */
function commentOnBalance(
  { comment, run }: Collector,
  { pointer, name, value }: JsonNode,
  records: readonly Json[],
): boolean {
  const [, field = '', unit = ''] =
    /^(available|ledger)[_-]?(?:balance)?[_-]?(?:in_?)?(kobo|cents|minor)?$/i.exec(name) ?? [];
  const minor = unit === '' ? '' : 'Minor';
  const read = compilePointers(run.contract()[`balance.value${minor}`]);
  const doubt = isAmount(value) ? '' : '  # unsure: its sample is no amount that the gateway can read';
  if (field !== '' && !records.some((record) => read.locate(record) === pointer))
    comment(`balance.${field.toLowerCase()}${minor}: [${pointer}]${doubt}`);
  return field !== '';
}

function extraTypeOf(name: string, value: unknown): string {
  if (typeof value === 'boolean') return 'Boolean';
  if (numberText(value) !== undefined) return 'Decimal';
  const isTime = isTimeName(name) && typeof value === 'string' && toDateTime(value, 'UTC') !== undefined;
  return isTime ? 'DateTime' : 'String';
}
