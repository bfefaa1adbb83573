import { readFileSync } from 'node:fs';
import type { CodegenConfig } from '@graphql-codegen/cli';
import {
  getNamedType,
  type GraphQLObjectType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  isAbstractType,
  parse,
  print,
  printSchema,
  type GraphQLSchema,
  visit,
} from 'graphql';

/** The schema without its descriptions, which the generated types would only repeat. */
const undescribed = print(
  visit(parse(readFileSync('schema.graphql', 'utf8')), {
    enter: (node) => ('description' in node ? { ...node, description: undefined } : undefined),
  }),
);

const config: CodegenConfig = {
  generates: {
    'src/graphql/schema.generated.ts': {
      schema: undescribed,
      plugins: ['typescript', 'typescript-resolvers'],
      config: {
        // A value made here must have every field of its type: payloads, edges and page information.
        avoidOptionals: { field: true },
        contextType: './context.ts#Context',
        defaultScalarType: 'string',
        emitLegacyCommonJSImports: false,
        enumsAsTypes: true,
        federation: true,
        immutableTypes: true,
        makeResolverTypeCallable: true,
        mappers: {
          Balance: '../contract/records.ts#Balance as BalanceValue',
          BankingUserError: '../domain/records.ts#UserError',
          Customer: '../contract/records.ts#Customer as CustomerValue',
          CustomerConnection: '../domain/records.ts#Connection<CustomerValue>',
          CustomerTransaction: '../contract/records.ts#CustomerTransaction as CustomerTransactionValue',
          CustomerTransactionConnection: '../domain/records.ts#Connection<CustomerTransactionValue>',
          Money: '../domain/records.ts#Money as MoneyValue',
          OneTimeAccount: '../contract/records.ts#OneTimeAccount as OneTimeAccountValue',
          SettlementBank: '../contract/records.ts#SettlementBank as SettlementBankValue',
          SettlementBankConnection: '../domain/records.ts#Connection<SettlementBankValue>',
          VirtualAccount: '../contract/records.ts#VirtualAccount as VirtualAccountValue',
          VirtualAccountConnection: '../domain/records.ts#Connection<VirtualAccountValue>',
        },
        scalars: { ID: 'string' },
        skipTypename: true,
        useTypeImports: true,
      },
    },
    'src/client/schema.generated.ts': { schema: 'schema.graphql', plugins: ['./codegen.ts'] },
    'src/client/schema.graphql': { schema: 'schema.graphql', plugins: ['./codegen.ts'] },
  },
};

export default config;

type Plugin = (
  schema: GraphQLSchema,
  documents: unknown,
  config: unknown,
  info: { readonly outputFile: string },
) => string;

/** The arguments that say which part of a list is asked for; all others say which list. */
const windowArguments: ReadonlySet<string> = new Set(['first', 'after', 'last', 'before']);

/**
 * The plugin that writes what src/client knows of the schema: into a .graphql file the schema for frontends, which is
 * without the directives that only routers and this gateway read; into a .ts file the facts that caches ask for, as
 * constants.
 */
export const plugin: Plugin = (schema, _documents, _config, { outputFile }) =>
  outputFile.endsWith('.graphql') ? `${printSchema(schema)}\n` : printFacts(schema);

function printFacts(schema: GraphQLSchema): string {
  const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
  const objects = types.filter(isObjectType);
  const abstract = types.filter(isAbstractType);
  const scalars = types.filter((type) => isScalarType(type) && !isSpecifiedScalarType(type));
  const roots = new Set([schema.getQueryType(), schema.getMutationType()]);
  const facts = {
    possibleTypes: Object.fromEntries(abstract.map((type) => [type.name, namesOf(schema.getPossibleTypes(type))])),
    connectionFields: Object.fromEntries(
      objects
        .map((type) => [type.name, filtersOf(type)] as const)
        .filter(([, fields]) => Object.keys(fields).length > 0),
    ),
    recordFields: namesOf(Object.values(schema.getQueryType()?.getFields() ?? {}).filter(({ type }) => isRecord(type))),
    unkeyedTypes: namesOf(objects.filter((type) => !roots.has(type) && !isRecord(type))),
    scalars: Object.fromEntries(scalars.map(({ name }) => [name, 'string'])),
  };
  const docs: Readonly<Record<keyof typeof facts, string>> = {
    possibleTypes: 'The members of every interface and union, for caches; there are none yet.',
    connectionFields: 'The fields that are connections, by type, each with the arguments that choose its list.',
    recordFields: 'The root fields that are one record.',
    unkeyedTypes: 'The types without an identifier: caches keep their values inside the record that they came with.',
    scalars: 'What each scalar of the schema is in TypeScript, for `scalars` of a codegen configuration.',
  };
  const constants = Object.entries(facts).map(
    ([name, value]) =>
      `/** ${docs[name as keyof typeof facts]} */\nexport const ${name} = ${JSON.stringify(value, null, 2)} as const;\n`, // entries forgets the names
  );
  return constants.join('\n');
}

function filtersOf(type: GraphQLObjectType): Readonly<Record<string, readonly string[]>> {
  const connections = Object.values(type.getFields()).filter((field) => isConnection(getNamedType(field.type)));
  return Object.fromEntries(
    connections.map(({ name, args }) => [name, namesOf(args).filter((argument) => !windowArguments.has(argument))]),
  );
}

function isRecord(type: unknown): boolean {
  return isObjectType(type) && 'id' in type.getFields();
}

function isConnection(type: unknown): boolean {
  return isObjectType(type) && type.name.endsWith('Connection') && 'pageInfo' in type.getFields();
}

function namesOf(named: readonly { readonly name: string }[]): readonly string[] {
  return named.map(({ name }) => name);
}
