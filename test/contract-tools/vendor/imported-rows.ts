import { placeInBody } from '../../../src/contract/addressing.ts';
import {
  createContract,
  pathTemplate,
  type Contract,
  type OperationName,
  type RowId,
} from '../../../src/contract/contract.ts';
import { writeNames } from '../../../src/contract/operation-rows.ts';
import type { Import } from '../../../src/contract-tools/import/import.ts';

/**
 * The rows that an import wrote and that differ from those that a person would write, with both values. Rows that say the
 * same are equal: a path with its prefix, names in a wrapper as pointers, lists whatever their order.
 */
export function differingRows(
  { rows, contract }: Pick<Import, 'rows' | 'contract'>,
  byHand: Readonly<Record<string, unknown>>,
) {
  const wanted = createContract(byHand);
  return Object.keys(rows).flatMap((id) => {
    const row = id as RowId;
    const fields = row.endsWith('.body') ? Object.keys(rows[row] as object) : [];
    const [value, other] = [valueOf(contract, row, fields), valueOf(wanted, row, fields)].map((each) =>
      JSON.stringify(each),
    );
    return value === other ? [] : [`${row}: ${value}, not ${other}`];
  });
}

function valueOf(contract: Contract, row: RowId, fields: readonly string[]): unknown {
  const operation = row.slice(0, row.lastIndexOf('.')) as OperationName;
  const value: unknown = contract[row];
  if (row === 'service.prefix' || row.endsWith('.wrapper')) return undefined;
  if (row.endsWith('.path')) return pathTemplate(contract, operation);
  if (!writeNames.some((write) => write === operation)) return value;
  if (row.endsWith('.required')) return (value as readonly string[]).toSorted();
  const names = value as Readonly<Record<string, string>>;
  if (row.endsWith('.body')) return fields.map((field) => placeInBody(contract, operation, names[field] ?? ''));
  if (row.endsWith('.constants'))
    return Object.entries(names).map(([at, constant]) => [placeInBody(contract, operation, at), constant]);
  return value;
}
