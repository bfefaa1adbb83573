import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { CodegenConfig } from '@graphql-codegen/cli';
import { addTypenameSelectionDocumentTransform } from '@graphql-codegen/client-preset';
import { scalars } from 'settlement-graph/client';

const config: CodegenConfig = {
  schema: fileURLToPath(import.meta.resolve('settlement-graph/client/schema.graphql')),
  documents: 'src/**/*.{ts,tsx}',
  generates: {
    'src/gql/': {
      preset: 'client',
      presetConfig: {
        fragmentMasking: false,
        // src/gql/persisted-documents.json: the documents that the backend-for-frontend accepts, by their hash.
        persistedDocuments: { hashAlgorithm: (text: string) => createHash('sha256').update(text).digest('hex') },
      },
      // The text behind a hash must ask for what the cache needs, since nothing is added to it later.
      documentTransforms: [addTypenameSelectionDocumentTransform],
      config: { scalars, strictScalars: true, enumsAsTypes: true, useTypeImports: true },
    },
  },
};

export default config;
