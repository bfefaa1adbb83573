import { parse, specifiedRules, validate, type DocumentNode } from 'graphql';
import { noServiceSdl } from '../../src/graphql/limits/no-service-sdl.ts';
import { documentLimits, limits } from '../../src/graphql/limits/document-limits.ts';
import { createHotMemory, type HotMemory } from '../../src/graphql/execution/hot-memory.ts';
import { createSchema } from '../../src/graphql/schema.ts';

const schema = createSchema('');
const rules = [...specifiedRules, documentLimits, noServiceSdl];

/** The memory of a gateway that has seen every valid document before, so that all it can run by plans it does. */
export function createFullMemory(): HotMemory {
  const memory = createHotMemory();
  return {
    ...memory,
    documentOf: (source) => memory.documentOf(source) ?? validDocument(source),
    typeFor: (accept) => memory.typeFor(accept) ?? (accept === '*/*' ? 'application/json; charset=utf-8' : undefined),
  };
}

function validDocument(source: string): DocumentNode | undefined {
  try {
    const document = parse(source, { maxTokens: limits.tokens });
    return validate(schema, document, rules).length === 0 ? document : undefined;
  } catch {
    return undefined;
  }
}
