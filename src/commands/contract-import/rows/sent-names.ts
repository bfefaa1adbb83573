import { contractRows } from '../../../contract/service-rows.ts';
import { isRecord, type PointerRow } from '../../../upstream/decoding/field-decoders.ts';
import { compilePointers } from '../../../upstream/decoding/json-pointer.ts';
import { acceptsByField, isText } from '../../contract-check/find-field.ts';
import { isPlainName } from '../../contract-check/json-shape.ts';
import type { Collector, RecordsByKind } from '../collector.ts';

const creates = { customer: 'createCustomer', settlementBank: 'storeSettlementBank' } as const;

/**
 * Reads a field by the name under which the create sends it, where that stands in the record beside another usual name:
 * a `merchantReference` that was sent is the reference, not the service's `customerReference`.
 */
export function preferSentNames({ run, set }: Collector, records: RecordsByKind): void {
  for (const [kind, create] of Object.entries(creates))
    for (const [field, wire] of Object.entries<string>(run.contract()[`${create}.body`])) {
      const row = `${kind}.${field}` as PointerRow; // tested in the next line
      if (!Object.hasOwn(contractRows, row) || !isPlainName(wire)) continue;
      const { read, locate, holders } = compilePointers(run.contract()[row]);
      const accepts = acceptsByField[field] ?? isText;
      const record = (records.get(kind) ?? []).find((each) => {
        const fields = holders(each).at(-1);
        return read(each) !== undefined && isRecord(fields) && Object.hasOwn(fields, wire) && accepts(fields[wire]);
      });
      if (record === undefined) continue;
      const pointer = locate(record).replace(/[^/]*$/, wire);
      if (pointer !== locate(record)) set(row, [pointer]);
    }
}
