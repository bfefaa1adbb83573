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

export type Variables = Readonly<Record<string, unknown>>;
export type Arguments = Readonly<Record<string, unknown>>;

/** Throws where graphql-js would find an error: it alone puts it into words. */
type Read<Result> = (variables: Variables) => Result;

/**
 * An operation's variables, as graphql-js coerces them. It looks up each one's type and default at every request and
 * copies what came of them twice; here that is done once. Throws for what is left to graphql-js.
 */
export function variableReader(schema: GraphQLSchema, operation: OperationDefinitionNode): Read<Variables> {
  const slots = (operation.variableDefinitions ?? []).map((definition) => slotOf(schema, definition));
  return (given) => {
    const coerced: Record<string, unknown> = {};
    for (const { name, type, fallback } of slots) {
      if (Object.hasOwn(given, name)) coerced[name] = coerceInputValue(given[name], type);
      else if (fallback !== undefined) coerced[name] = fallback;
      else if (isNonNullType(type)) throw new Error('a required variable that is not there');
    }
    return coerced;
  };
}

function slotOf(schema: GraphQLSchema, { variable, type: node, defaultValue }: VariableDefinitionNode) {
  const name = variable.name.value;
  const type = typeFromAST(schema, node);
  if (!isInputType(type)) throw new Error('a variable of a type that is none of input');
  if (name === '__proto__') throw new Error('a variable that would be the prototype of all');
  return { name, type, fallback: defaultValue && valueFromAST(defaultValue, type) };
}

export interface ArgumentReader {
  /** The arguments, where no variable is in them. */
  readonly constant: Arguments | undefined;
  /** The arguments under coerced variables. */
  readonly read: Read<Arguments>;
}

/** A field's arguments, as graphql-js coerces them. Throws for what is left to graphql-js. */
export function argumentReader(definition: GraphQLField<unknown, unknown>, node: FieldNode): ArgumentReader {
  const given = new Map((node.arguments ?? []).map(({ name, value }) => [name.value, value]));
  if (![...given.values()].some(hasVariable)) {
    const constant = getArgumentValues(definition, node);
    return { constant, read: () => constant };
  }
  const slots = definition.args.map((argument) => ({
    name: argument.name,
    read: readerOf(argument, given.get(argument.name)),
  }));
  const read: Read<Arguments> = (variables) => {
    const coerced: Record<string, unknown> = {};
    for (const slot of slots) {
      const value = slot.read(variables);
      if (value !== undefined) coerced[slot.name] = value;
    }
    return coerced;
  };
  return { constant: undefined, read };
}

function hasVariable(value: ValueNode): boolean {
  let found = false;
  const Variable = (): void => {
    found = true;
  };
  visit(value, { Variable });
  return found;
}

/** Reads one argument; undefined where it is not there. */
function readerOf({ type, defaultValue }: GraphQLArgument, node: ValueNode | undefined): Read<unknown> {
  const present = (value: unknown): unknown => {
    if (value === undefined || (value === null && isNonNullType(type))) throw new Error('no value of the type');
    return value;
  };
  const absent = (): unknown => (defaultValue === undefined && isNonNullType(type) ? present(undefined) : defaultValue);
  if (node === undefined) return absent;
  if (node.kind !== Kind.VARIABLE) return (variables) => present(valueFromAST(node, type, variables));
  const name = node.name.value;
  return (variables) => (Object.hasOwn(variables, name) ? present(variables[name]) : absent());
}
