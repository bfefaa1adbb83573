import type { CodegenConfig } from '@graphql-codegen/cli';
import { addTypenameSelectionDocumentTransform } from '@graphql-codegen/client-preset';
import { scalars } from 'settlement-graph-client';

const config: CodegenConfig = {
  schema: './node_modules/settlement-graph-client/client/schema.graphql',
  documents: 'src/**/*.{ts,tsx}',
  generates: {
    'src/gql/': {
      preset: 'client',
      presetConfig: { fragmentMasking: false },
      // Puts `__typename` into documents and types, for optimistic answers.
      documentTransforms: [addTypenameSelectionDocumentTransform],
      config: { scalars, strictScalars: true, enumsAsTypes: true, useTypeImports: true },
    },
  },
};

export default config;
