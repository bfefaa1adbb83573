import type { Slice, WorstCase } from '../../upstream/operation.ts';
import type { Operations } from '../../upstream/operations.ts';
import type { Calls } from './operation-resolvers.ts';
import { isOfRecord } from './resolve-reference.ts';

/** What the fields of the graph cost at worst, in calls to the service. */
export interface FieldCosts {
  /** By `Type.field`; a field that is not here makes no call. */
  readonly fields: ReadonlyMap<string, (slice: Slice) => WorstCase>;
  /** By type: what each of a router's references costs. */
  readonly entities: ReadonlyMap<string, EntityCost>;
}

interface EntityCost {
  /** Of reading the record. */
  readonly calls: number;
  /** Whether selecting this field has the record read. */
  readonly needsRecord: (field: string) => boolean;
}

/**
 * Gathers from the resolvers, by the names that the schema gives their types and fields, which operation stands behind
 * which field, and from the operations what it costs.
 */
export function createFieldCosts(operations: Operations, resolvers: Readonly<Record<string, object>>): FieldCosts {
  const fields = new Map<string, (slice: Slice) => WorstCase>();
  const entities = new Map<string, EntityCost>();
  for (const [typeName, type] of Object.entries(resolvers)) {
    for (const [name, resolver] of Object.entries(type)) {
      if (!isCalling(resolver)) continue;
      const operation = operations[resolver.operation];
      if (name !== '__resolveReference') fields.set(`${typeName}.${name}`, operation.worstCase);
      else if ('ownCalls' in operation) {
        const { ownCalls, worstCase } = operation;
        entities.set(typeName, { calls: worstCase({}).calls, needsRecord: (field) => isOfRecord(field, ownCalls) });
      }
    }
  }
  return { fields, entities };
}

function isCalling(resolver: unknown): resolver is Calls {
  return typeof resolver === 'function' && 'operation' in resolver;
}
