import { readFileSync } from 'node:fs';
import { Kind, parse } from 'graphql';

/** The text of schema.graphql, which lies beside both src and the compiled dist. */
export function readSchemaFile(): string {
  return readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8');
}

let names: ReadonlyMap<string, ReadonlySet<string>> | undefined;

/** The names in schema.graphql: those of fields by type or input type, those of arguments by `Type.field`. Read once. */
export function graphNames(owner: string): ReadonlySet<string> {
  names ??= readNames();
  return names.get(owner) ?? new Set();
}

function readNames(): ReadonlyMap<string, ReadonlySet<string>> {
  const namesByOwner = new Map<string, ReadonlySet<string>>();
  const add = (owner: string, nodes: readonly { readonly name: { readonly value: string } }[] = []): void =>
    void namesByOwner.set(owner, new Set(nodes.map(({ name }) => name.value)));
  for (const node of parse(readSchemaFile()).definitions) {
    if (node.kind !== Kind.OBJECT_TYPE_DEFINITION && node.kind !== Kind.INPUT_OBJECT_TYPE_DEFINITION) continue;
    add(node.name.value, node.fields);
    if (node.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION) continue;
    for (const field of node.fields ?? []) add(`${node.name.value}.${field.name.value}`, field.arguments);
  }
  return namesByOwner;
}
