import {
  coerceInputValue,
  getArgumentValues,
  isInputType,
  isNonNullType,
  Kind,
  typeFromAST,
  valueFromAST,
  visit,
  type FieldNode,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type ValueNode,
  type VariableDefinitionNode,
} from 'graphql';
import type { Reader, Values } from './types.ts';

/**
 * Reads an operation's variables as graphql-js coerces them. graphql-js looks up the type and default of each variable at
 * every request and copies the result twice; here the look-up happens once.
 */
export function variableReader(schema: GraphQLSchema, operation: OperationDefinitionNode): Reader<Values> {
  const definitions = (operation.variableDefinitions ?? []).map((definition) => toVariable(schema, definition));
  return (variables) => {
    const coerced: Record<string, unknown> = {};
    for (const { name, type, defaultValue } of definitions) {
      if (Object.hasOwn(variables, name)) coerced[name] = coerceInputValue(variables[name], type);
      else if (defaultValue !== undefined) coerced[name] = defaultValue;
      else if (isNonNullType(type)) throw new Error('A required variable is missing.');
    }
    return coerced;
  };
}

function toVariable(schema: GraphQLSchema, { variable, type: node, defaultValue }: VariableDefinitionNode) {
  const type = typeFromAST(schema, node);
  if (!isInputType(type)) throw new Error('A variable has no input type.');
  return { name: variable.name.value, type, defaultValue: defaultValue && valueFromAST(defaultValue, type) };
}

/** A field's arguments as graphql-js coerces them, or their reader where they contain a variable. */
export function coerceArguments(definition: GraphQLField<unknown, unknown>, node: FieldNode): Values | Reader<Values> {
  const nodes = new Map((node.arguments ?? []).map(({ name, value }) => [name.value, value]));
  if (![...nodes.values()].some(hasVariable)) return getArgumentValues(definition, node);
  const readers = definition.args.map((argument) => ({
    name: argument.name,
    read: readerOf(argument, nodes.get(argument.name)),
  }));
  return (variables) => {
    const coerced: Record<string, unknown> = {};
    for (const reader of readers) {
      const value = reader.read(variables);
      if (value !== undefined) coerced[reader.name] = value;
    }
    return coerced;
  };
}

function hasVariable(value: ValueNode): boolean {
  let isFound = false;
  const Variable = (): void => {
    isFound = true;
  };
  visit(value, { Variable });
  return isFound;
}

/** Reads one argument; undefined where it is absent. */
function readerOf({ type, defaultValue }: GraphQLArgument, node: ValueNode | undefined): Reader<unknown> {
  const present = (value: unknown): unknown => {
    if (value === undefined || (value === null && isNonNullType(type))) throw new Error('An argument is not valid.');
    return value;
  };
  const absent = (): unknown => (defaultValue === undefined && isNonNullType(type) ? present(undefined) : defaultValue);
  if (node === undefined) return absent;
  if (node.kind !== Kind.VARIABLE) return (variables) => present(valueFromAST(node, type, variables));
  const name = node.name.value;
  return (variables) => (Object.hasOwn(variables, name) ? present(variables[name]) : absent());
}
