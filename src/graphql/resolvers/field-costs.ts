import type { Slice, WorstCase } from '../../upstream/operation.ts';
import type { Operations } from '../../upstream/operations.ts';
import type { OperationResolver } from './operation-resolvers.ts';
import { isOfRecord } from './resolve-reference.ts';

/** Worst-case costs of the graph's fields, in calls to the service. */
export interface FieldCosts {
  /** Costs by `Type.field`; a field that is absent makes no call. */
  readonly fields: ReadonlyMap<string, FieldCost>;
  /** Costs of one reference in `_entities`, by its type. */
  readonly entities: ReadonlyMap<string, EntityCost>;
}

interface FieldCost {
  readonly operation: keyof Operations;
  readonly worstCase: (slice: Slice) => WorstCase;
}

interface EntityCost {
  readonly operation: keyof Operations;
  /** Calls to read the record. */
  readonly calls: number;
  /** Whether this field needs the record. */
  readonly needsRecord: (field: string) => boolean;
}

/** Derives the costs from the operation that each resolver names, and from the worst case of each operation. */
export function createFieldCosts(operations: Operations, resolvers: Readonly<Record<string, object>>): FieldCosts {
  const fields = new Map<string, FieldCost>();
  const entities = new Map<string, EntityCost>();
  for (const [typeName, type] of Object.entries(resolvers)) {
    for (const [name, resolver] of Object.entries(type)) {
      if (!isOperationResolver(resolver)) continue;
      const { operation } = resolver;
      const called = operations[operation];
      if (name !== '__resolveReference') fields.set(`${typeName}.${name}`, { operation, worstCase: called.worstCase });
      else if ('ownCalls' in called) {
        const { ownCalls, worstCase } = called;
        const needsRecord = (field: string): boolean => isOfRecord(field, ownCalls);
        entities.set(typeName, { operation, calls: worstCase({}).calls, needsRecord });
      }
    }
  }
  return { fields, entities };
}

function isOperationResolver(resolver: unknown): resolver is OperationResolver {
  return typeof resolver === 'function' && 'operation' in resolver;
}
