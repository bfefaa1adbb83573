import { configs, parser, rules } from '@graphql-eslint/eslint-plugin';

const file = 'src/client/schema.graphql'; // schema.graphql without federation's directives, which only composers know

/** graphql-eslint with all rules that it recommends for schemas and Relay; below, each decision against one of them. */
export default [
  {
    files: [file],
    languageOptions: { parser, parserOptions: { graphQLConfig: { schema: file } } },
    plugins: { '@graphql-eslint': { rules } },
    rules: {
      ...configs['flat/schema-recommended'].rules,
      ...configs['flat/schema-relay'].rules,
      '@graphql-eslint/require-description': [
        'error',
        { types: true, rootField: true, FieldDefinition: true, InputValueDefinition: true, EnumValueDefinition: true },
      ],
      // Values inside a record have no identity of their own, and clients must not give them one.
      '@graphql-eslint/strict-id-in-types': [
        'error',
        {
          exceptions: {
            types: ['Balance', 'BankingUserError', 'Money', 'PageInfo'],
            suffixes: ['Connection', 'Edge', 'Payload'],
          },
        },
      ],
      // Lists go forward only: the service has no way back from a page.
      '@graphql-eslint/relay-arguments': ['error', { includeBoth: false }],
      '@graphql-eslint/relay-edge-types': [
        'error',
        {
          withEdgeSuffix: true,
          // No node(id:): identifiers are the service's own, and two types may have the same one.
          shouldImplementNode: false,
          // `nodes` beside `edges`, and `userErrors`, are lists too.
          listTypeCanWrapOnlyEdgeType: false,
        },
      ],
    },
  },
];
