import {
  coerceInputValue,
  getArgumentValues,
  GraphQLError,
  isInputType,
  isNonNullType,
  typeFromAST,
  valueFromAST,
  visit,
  type FieldNode,
  type GraphQLField,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type ValueNode,
  type VariableDefinitionNode,
} from 'graphql';
import { maxCoercionErrors } from '../limits/document-limits.ts';
import type { Reader, Values } from './types.ts';

/** Coerced variables, or the faults of those that were sent. */
type Coerced =
  | { readonly values: Values; readonly errors?: undefined }
  | { readonly values?: undefined; readonly errors: readonly GraphQLError[] };

/** The starts of graphql-js' reasons why a variable is invalid that name types and fields, and no value. */
const reasons = [
  /^Field "[A-Za-z_]\w*" is not defined by type "\w+"/,
  /^Field "\w+" of required type "[\w![\]]+" was not provided/,
  /^Expected (?:non-nullable )?type "[\w![\]]+" (?:not to be null|to be an object)/,
  /^\w+ cannot represent [\w -]+(?=:)/,
];

/**
 * Reads an operation's variables as graphql-js coerces them, but looks up their types and defaults once, and words the
 * faults without the values: graphql-js would print a whole object for each of thousands of unknown fields.
 */
export function variableReader(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
): (variables: Values) => Coerced {
  const definitions = (operation.variableDefinitions ?? []).map((definition) => toVariable(schema, definition));
  return (variables) => {
    // Without a prototype: a variable may be called `__proto__`.
    const values: Record<string, unknown> = Object.create(null);
    const errors: GraphQLError[] = [];
    try {
      for (const { name, type, defaultValue, node } of definitions) {
        const report = (fault: string): void => {
          if (errors.length === maxCoercionErrors) throw inputError(node, 'Too many errors processing variables.');
          errors.push(inputError(node, `Variable "$${name}" ${fault}`));
        };
        const isSent = Object.hasOwn(variables, name);
        if (!isSent && defaultValue !== undefined) values[name] = defaultValue;
        else if (!isSent && isNonNullType(type)) report(`of required type "${String(type)}" was not provided.`);
        else if (variables[name] === null && isNonNullType(type))
          report(`of non-null type "${String(type)}" must not be null.`);
        else if (isSent)
          values[name] = coerceInputValue(variables[name], type, (path, _, error) =>
            report(`has an invalid value${describeFault(name, path, error)}`),
          );
      }
    } catch (error) {
      errors.push(error as GraphQLError); // thrown above: nothing else throws
    }
    return errors.length === 0 ? { values } : { errors };
  };
}

function inputError(node: VariableDefinitionNode, message: string): GraphQLError {
  return new GraphQLError(message, { nodes: node, extensions: { code: 'BAD_USER_INPUT' } });
}

/** Where the fault is, and why, without the value. */
function describeFault(
  name: string,
  path: readonly (string | number)[],
  { message, extensions }: GraphQLError,
): string {
  const place = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
  const start = place === '' ? '.' : ` at "${name}${place}".`;
  if (extensions['code'] === 'BAD_USER_INPUT') return `${start} ${message}`; // a scalar's own sentence has no value
  const reason = reasons.map((pattern) => pattern.exec(message)?.[0]).find((text) => text !== undefined);
  return reason === undefined ? start : `${start} ${reason}.`;
}

function toVariable(schema: GraphQLSchema, node: VariableDefinitionNode) {
  const { variable, type: typeNode, defaultValue } = node;
  const type = typeFromAST(schema, typeNode);
  if (!isInputType(type)) throw new Error('A variable has no input type.');
  return { name: variable.name.value, type, defaultValue: defaultValue && valueFromAST(defaultValue, type), node };
}

/** A field's arguments as graphql-js coerces them, or their reader where they contain a variable. */
export function coerceArguments(definition: GraphQLField<unknown, unknown>, node: FieldNode): Values | Reader<Values> {
  const isVarying = (node.arguments ?? []).some(({ value }) => hasVariable(value));
  return isVarying
    ? (variables) => getArgumentValues(definition, node, variables)
    : getArgumentValues(definition, node);
}

function hasVariable(value: ValueNode): boolean {
  let isFound = false;
  const Variable = (): void => {
    isFound = true;
  };
  visit(value, { Variable });
  return isFound;
}
