import {
  Kind,
  type DefinitionNode,
  type DocumentNode,
  type FieldDefinitionNode,
  type InputValueDefinitionNode,
  type NameNode,
} from 'graphql';
import type { Extra, ExtraType } from '../contract/extra-rows.ts';

/** Inputs take dates as text, whose faults are userErrors, and amounts as decimal text in the major unit. */
const typesInInputs: Readonly<Partial<Record<ExtraType, string>>> = {
  Date: 'String',
  DateTime: 'String',
  Money: 'Decimal',
};

/**
 * Adds the deployment's fields, arguments and input fields to the schema. None needs a resolver: the record's decoder adds
 * a property for each field, and arguments and input fields are read by their name.
 */
export function withExtras(document: DocumentNode, extras: readonly Extra[]): DocumentNode {
  if (extras.length === 0) return document;
  const extrasOf = (owner: string): readonly Extra[] => extras.filter((extra) => extra.owner === owner);
  const definitions = document.definitions.map((node): DefinitionNode => {
    if (node.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION) {
      return { ...node, fields: [...(node.fields ?? []), ...extrasOf(node.name.value).map(toInputValue)] };
    }
    if (node.kind !== Kind.OBJECT_TYPE_DEFINITION) return node;
    const type = node.name.value;
    const fields = (node.fields ?? []).map((field): FieldDefinitionNode => {
      const { arguments: own = [] } = field;
      const added = extrasOf(`${type}.${field.name.value}`).map(toInputValue);
      // A filter that takes the place of the graph's own has its argument.
      const further = added.filter(({ name }) => !own.some((argument) => argument.name.value === name.value));
      return { ...field, arguments: [...own, ...further] };
    });
    return { ...node, fields: [...fields, ...extrasOf(type).map(toField)] };
  });
  return { ...document, definitions };
}

function toField(extra: Extra): FieldDefinitionNode {
  return { kind: Kind.FIELD_DEFINITION, ...describe(extra), ...typed(extra.kind === 'field' ? extra.type : 'String') };
}

function toInputValue(extra: Extra): InputValueDefinitionNode {
  const type = extra.kind === 'input' ? (typesInInputs[extra.type] ?? extra.type) : 'String';
  return { kind: Kind.INPUT_VALUE_DEFINITION, ...describe(extra), ...typed(type) };
}

function typed(type: string) {
  return { type: { kind: Kind.NAMED_TYPE, name: toName(type) } } as const;
}

function describe(extra: Extra) {
  const { name, description = 'Added by this deployment.' } = extra;
  const isRequired = extra.kind === 'input' && extra.required === true;
  const value = isRequired
    ? `${description} Required: without it the write is refused in \`userErrors\`.`
    : description;
  return { name: toName(name), description: { kind: Kind.STRING, value } } as const;
}

function toName(value: string): NameNode {
  return { kind: Kind.NAME, value };
}
