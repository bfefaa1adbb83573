import {
  getOperationAST,
  getVariableValues,
  GraphQLError,
  Kind,
  OperationTypeNode,
  parse,
  print,
  specifiedRules,
  validate,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import type { Config } from '../../config/config.ts';
import type { Contract, CredentialName } from '../../contract/contract.ts';
import type { WorstCase } from '../../upstream/operation.ts';
import type { Operations } from '../../upstream/operations.ts';
import { conditionsOf, fragmentsOf, leftOutBy, type Collecting } from '../collect-fields.ts';
import { documentLimits, findTextExcess, limitError, limits, maxValidationErrors } from '../limits/document-limits.ts';
import { knownOperationTypes } from '../limits/known-operation-types.ts';
import { defaultsOf, valuesOf } from '../limits/operation-cost.ts';
import { mustNotBeNull } from '../limits/operation-gate.ts';
import { compileCost, readCosts, type CostTerm, type Values } from '../limits/selection-cost.ts';
import { createFieldCosts } from '../resolvers/field-costs.ts';
import { createSchema, resolversUnder } from '../schema.ts';
import { fillGreatest, withAnyCursor } from './greatest-values.ts';

/** The worst-case calls of an operation. */
export interface Explanation {
  readonly calls: number;
  /** The limit of calls. */
  readonly maximum: number;
  /**
   * The calls of each wave, which begins when the fields of the wave before have their values. The calls of one field may
   * also run one after the other.
   */
  readonly waves: readonly number[];
  /** The credentials that these calls need. */
  readonly credentials: readonly CredentialName[];
  readonly fields: readonly ExplainedField[];
}

interface ExplainedField {
  /** The path by names of the schema: `customers.nodes.balance`. */
  readonly field: string;
  readonly operation: string;
  readonly calls: number;
  /** Counted from 1. */
  readonly wave: number;
  readonly credentials: readonly CredentialName[];
}

interface Question {
  readonly document: string;
  readonly operationName?: string | undefined;
  readonly variables: Readonly<Record<string, unknown>>;
}

export type Explain = (question: Question) => Explanation;

type ExplainSettings = Pick<Config, 'typePrefix' | 'maxUpstreamCalls' | 'maxRepresentations'>;

/**
 * Creates the function that explains an operation without a call, by the same count as the gate that refuses too
 * expensive ones. Variables without a value count at their greatest. Throws GraphQLErrors for a document that is not
 * valid and for variables that do not fit their types, in an AggregateError.
 */
export function createExplain(
  { typePrefix, maxUpstreamCalls: maximum, maxRepresentations }: ExplainSettings,
  contract: Contract,
  operations: Operations,
): { readonly schema: GraphQLSchema; readonly explain: Explain } {
  const schema = createSchema(typePrefix, contract);
  const fieldCosts = createFieldCosts(operations, resolversUnder(typePrefix));
  const explain: Explain = (question) => {
    const excess = findTextExcess(question.document);
    if (excess !== undefined) throw new GraphQLError(excess.message);
    const document = parse(question.document, { maxTokens: limits.tokens });
    const errors = validate(schema, document, [...specifiedRules, documentLimits, knownOperationTypes], {
      maxErrors: maxValidationErrors,
    });
    if (errors.length > 0) throw new AggregateError(errors, 'The document is not valid.');
    const operation = getOperationAST(document, question.operationName);
    if (!operation) throw new GraphQLError('Name an operation: the document has several, or none of this name.');
    const misfits = findMisfits(schema, operation, question.variables);
    if (misfits.length > 0) throw new AggregateError(misfits, 'The variables are not valid.');
    // Created for each question, since the page sizes that are observed meanwhile change the costs.
    const costs = withAnyCursor(fieldCosts);
    const fragments = fragmentsOf(document);
    const sentValues = valuesOf(defaultsOf(operation), question.variables);
    const conditions = conditionsOf(operation, fragments);
    const nullCondition = conditions.find((name) => sentValues[name] === null);
    if (nullCondition !== undefined) throw mustNotBeNull(nullCondition);
    const open = new Set(conditions.filter((name) => sentValues[name] === undefined));
    const collecting = { schema, fragments, isLeftOut: leftOutUnless(open, sentValues) };
    const { terms, references } = compileCost(collecting, costs, operation);
    const referenceCount = references.reduce((sum, { read }) => sum + read(sentValues).length, 0);
    if (referenceCount > maxRepresentations)
      throw new GraphQLError(limitError('representations', maxRepresentations).message);
    const total = (values: Values): number => readCosts(terms, values).reduce((sum, { calls }) => sum + calls, 0);
    const candidates = { types: [...costs.entities.keys()], maximum: maxRepresentations };
    const values = fillGreatest(operation, sentValues, candidates, total);
    return toExplanation(contract, operations, operation, terms, values, maximum);
  };
  return { schema, explain };
}

/** Variables that do not fit their types: the gateway refuses such a request, so it has no count of calls. */
function findMisfits(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Question['variables'],
): readonly GraphQLError[] {
  return variableDefinitions
    .filter(({ variable }) => Object.hasOwn(variables, variable.name.value))
    .filter((definition) => getVariableValues(schema, [definition], variables).errors !== undefined)
    .map(({ variable, type }) => new GraphQLError(`$${variable.name.value} must be of type ${print(type)}.`));
}

/** Keeps a selection whose condition has no value, so that the count is an upper bound. */
function leftOutUnless(open: ReadonlySet<string>, values: Values): Collecting['isLeftOut'] {
  const isLeftOut = leftOutBy(values);
  return (selection) => {
    const directives = selection.directives?.filter(({ arguments: args = [] }) =>
      args.every(({ value }) => value.kind !== Kind.VARIABLE || !open.has(value.name.value)),
    );
    return isLeftOut(directives === undefined ? selection : { ...selection, directives });
  };
}

function toExplanation(
  contract: Contract,
  operations: Operations,
  { operation: type }: OperationDefinitionNode,
  terms: readonly CostTerm[],
  values: Values,
  maximum: number,
): Explanation {
  const costs = readCosts(terms, values);
  const waveOf = toWaves(operations, terms, costs, type === OperationTypeNode.MUTATION);
  const fields = new Map<string, ExplainedField>();
  for (const term of terms) {
    const { calls = 0 } = costs[term.index] ?? {};
    if (calls === 0) continue;
    const { operation } = term;
    const credentials = contract[`${operation}.credentials`];
    const [field, wave] = [term.path.join('.'), waveOf[term.index] ?? 1];
    const key = `${field} ${operation} ${wave}`;
    fields.set(key, { field, operation, calls: (fields.get(key)?.calls ?? 0) + calls, wave, credentials });
  }
  const all = [...fields.values()];
  const sum = (counted: readonly ExplainedField[]): number => counted.reduce((total, { calls }) => total + calls, 0);
  const last = Math.max(0, ...all.map(({ wave }) => wave));
  return {
    calls: sum(all),
    maximum,
    waves: Array.from({ length: last }, (_, index) => sum(all.filter(({ wave }) => wave === index + 1))),
    credentials: [...new Set(all.flatMap(({ credentials }) => credentials))],
    fields: all,
  };
}

/**
 * The wave of each term. What is below a record goes a wave later, or in the record's own wave where it is prefetched,
 * or where the record is not read. Writes go one after the other.
 */
function toWaves(
  operations: Operations,
  terms: readonly CostTerm[],
  costs: readonly WorstCase[],
  isMutation: boolean,
): readonly number[] {
  const waves: number[] = [];
  for (const { path, parent } of terms) {
    if (parent === undefined) waves.push(isMutation ? Math.max(0, ...waves) + 1 : 1);
    else {
      const called = operations[parent.operation];
      const isPrefetch = 'prefetched' in called && called.prefetched.has(path.at(-1) ?? '');
      const isTogether = isPrefetch || costs[parent.index]?.calls === 0;
      waves.push((waves[parent.index] ?? 1) + (isTogether ? 0 : 1));
    }
  }
  return waves;
}
