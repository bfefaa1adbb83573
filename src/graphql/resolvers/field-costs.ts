import type { Slice, WorstCase } from '../../upstream/operation.ts';
import type { Operations } from '../../upstream/operations.ts';
import type { OperationResolver } from './operation-resolvers.ts';
import { isOfRecord } from './resolve-reference.ts';

/** Worst-case costs of the graph's fields, in calls to the service. */
export interface FieldCosts {
  /** By `Type.field`; a field that is absent makes no call. */
  readonly fields: ReadonlyMap<string, (slice: Slice) => WorstCase>;
  /** By type: the cost of one reference in `_entities`. */
  readonly entities: ReadonlyMap<string, EntityCost>;
}

interface EntityCost {
  /** Calls to read the record. */
  readonly calls: number;
  /** Whether this field needs the record. */
  readonly needsRecord: (field: string) => boolean;
}

/** Derives the costs from the operation that each resolver names, and from the worst case of each operation. */
export function createFieldCosts(operations: Operations, resolvers: Readonly<Record<string, object>>): FieldCosts {
  const fields = new Map<string, (slice: Slice) => WorstCase>();
  const entities = new Map<string, EntityCost>();
  for (const [typeName, type] of Object.entries(resolvers)) {
    for (const [name, resolver] of Object.entries(type)) {
      if (!isOperationResolver(resolver)) continue;
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

function isOperationResolver(resolver: unknown): resolver is OperationResolver {
  return typeof resolver === 'function' && 'operation' in resolver;
}
