import {
  getDirectiveValues,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  Kind,
  type GraphQLResolveInfo,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { GatewayError } from '../errors.ts';
import type { Loader } from '../loader.ts';
import type { EntityRead } from '../upstream/operation.ts';

/**
 * The entity behind a router's reference. Its record is read, and an unknown one is null, exactly when a field is
 * selected that needs the record; a reference of which only the id and fields with calls of their own are wanted costs
 * no read, and so does not assert that the record exists. Async, since a throw here would take the other entities along.
 */
export async function resolveReference<Value extends { readonly id: string }>(
  { __typename: typeName, id }: { readonly __typename: string; readonly id: unknown },
  operation: EntityRead<Value>,
  load: Loader['load'],
  info: GraphQLResolveInfo,
): Promise<Value | null> {
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) {
    throw new GatewayError('BAD_USER_INPUT', {}, { message: 'A reference needs an `id` that is text or an integer.' });
  }
  const identifier = String(id);
  operation.request(identifier); // refuses an identifier that could not name a record
  const selections = info.fieldNodes.map((node) => node.selectionSet);
  const search = { typeName, ownCalls: operation.ownCalls, info };
  if (selections.some((set) => needsRecord(set, { ...search, visited: new Set() }))) return load(operation, identifier);
  return { id: identifier } as Value; // nothing else of it is selected
}

interface Search {
  readonly typeName: string;
  readonly ownCalls: ReadonlySet<string>;
  readonly info: GraphQLResolveInfo;
  /** Fragments seen: each is looked into once, however often it is spread. */
  readonly visited: Set<string>;
}

function needsRecord(set: SelectionSetNode | undefined, search: Search): boolean {
  const { typeName, ownCalls, info, visited } = search;
  return (set?.selections ?? []).some((selection) => {
    if (isLeftOut(selection, info)) return false;
    if (selection.kind === Kind.FIELD) return isOfRecord(selection.name.value, ownCalls);
    if (selection.kind === Kind.FRAGMENT_SPREAD) {
      if (visited.has(selection.name.value)) return false;
      visited.add(selection.name.value);
    }
    const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : info.fragments[selection.name.value];
    const condition = fragment?.typeCondition?.name.value ?? typeName;
    return (condition === typeName || condition === '_Entity') && needsRecord(fragment?.selectionSet, search);
  });
}

/** Whether a field of an entity is part of its record, and not known from the reference or asked for apart. */
export function isOfRecord(field: string, ownCalls: ReadonlySet<string>): boolean {
  return field !== 'id' && field !== '__typename' && !ownCalls.has(field);
}

function isLeftOut(selection: SelectionNode, { variableValues }: GraphQLResolveInfo): boolean {
  return (
    getDirectiveValues(GraphQLSkipDirective, selection, variableValues)?.['if'] === true ||
    getDirectiveValues(GraphQLIncludeDirective, selection, variableValues)?.['if'] === false
  );
}
