import { defineConfig, type OxlintOverride } from 'oxlint';

/** The top of src/: each imports only what comes after it, types included. */
const floors = [
  'cli.ts',
  'commands/',
  'contract-tools/',
  'server.ts',
  'mcp/',
  'telemetry/',
  'http/',
  'graphql/',
  'upstream/',
  'contract/',
  'config/',
  'runtime/',
  'domain/',
];
/** Imported by commands/ alone, and by nothing. */
const apart = ['bank/', 'client/', 'testing/'];
const packages = ['undici', 'dataloader'];

/** What folders inside upstream/ may not import of each other; of the files beside them all import operation.ts alone. */
const insideUpstream = {
  paging: ['calls/', 'wire/', 'idempotency/'],
  idempotency: ['calls/', 'paging/', 'decoding/'],
  decoding: ['calls/', 'paging/', 'idempotency/'],
  wire: ['calls/', 'paging/', 'idempotency/', 'decoding/'],
  credentials: ['calls/', 'paging/', 'idempotency/', 'decoding/', 'wire/'],
};
const upstreamOrder =
  'Inside upstream/: operations → paging, calls → wire, idempotency, decoding → credentials → operation.ts.';

/** The folders and files at the top that `name` may not import. */
const above = (name: string): readonly string[] => [...floors.slice(0, floors.indexOf(name)), ...apart];

/** Refuses imports of these folders and files of src/, by any relative path, and of these packages. */
function forbid(modules: readonly string[], forbiddenPackages: readonly string[] = packages, message = '') {
  const places = modules.map((name) => (name.endsWith('/') ? name : `${name.replace('.', String.raw`\.`)}$`));
  const regex = String.raw`^\.{1,2}(?:/.*)?/(?:${places.join('|')})|^(?:${forbiddenPackages.join('|')})$`;
  return { regex, ...(message !== '' && { message }) };
}

/** The contract's tools see of upstream/ what its index offers. */
const throughIndex = {
  group: ['**/upstream/**', '!**/upstream/index.ts'],
  message: 'contract-tools/ imports of upstream/ its index.ts alone.',
};

const override = (files: string, ...patterns: readonly object[]): OxlintOverride => ({
  files: [files],
  rules: { 'no-restricted-imports': ['error', { patterns: [...patterns] }] },
});

const folders = floors
  .slice(1)
  .map((name) =>
    override(
      name.endsWith('/') ? `src/${name}**/*.ts` : `src/${name}`,
      forbid(name === 'commands/' ? ['cli.ts', 'client/', 'testing/'] : above(name)),
      ...(name === 'contract-tools/' ? [throughIndex] : []),
    ),
  );

const upstreamFolders = [['*', []] as const, ...Object.entries(insideUpstream)].map(([folder, others]) =>
  override(
    `src/upstream/${folder}/*.ts`,
    forbid([...above('upstream/'), ...others], folder === 'wire' ? ['dataloader'] : packages, upstreamOrder),
    { group: ['../*.ts', '!../operation.ts'], message: upstreamOrder },
  ),
);

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'promise', 'node', 'vitest'],
  jsPlugins: ['eslint-plugin-regexp'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  options: { typeAware: true },
  rules: {
    'typescript/no-explicit-any': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/consistent-type-imports': 'error',
    'typescript/no-non-null-assertion': 'error',
    'node/no-process-env': 'error',
    'max-lines': ['error', 300],
    'max-lines-per-function': ['error', { max: 70, skipBlankLines: true, skipComments: true }],
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'no-await-in-loop': 'off',
    'no-shadow': 'off',
    'typescript/no-unsafe-type-assertion': 'off',
    'import/no-unassigned-import': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'unicorn/no-array-sort': 'off',
    'no-map-spread': 'off',
    'typescript/no-generated-empty-object-type': 'off',
    'vitest/require-mock-type-parameters': 'off',
  },
  // A later entry replaces the same rule of an earlier one.
  overrides: [
    {
      files: ['src/{client,config,contract,domain,graphql,http,runtime,telemetry,upstream}/**/*.ts'],
      rules: {
        'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
        'regexp/no-super-linear-move': ['error', { report: 'potential' }],
      },
    },
    ...folders,
    ...upstreamFolders,
    override('src/upstream/operation.ts', {
      group: ['./**', '../**', '!../contract', '!../contract/**', '!../domain', '!../domain/**', ...packages],
      message: 'An operation is a value: it stands on contract and domain alone.',
    }),
    override('src/graphql/loader.ts', forbid(above('graphql/'), ['undici'])),
    override(
      'src/bank/**/*.ts',
      forbid(
        [...floors.filter((floor) => floor !== 'contract/' && floor !== 'domain/'), 'client/'],
        packages,
        'The embedded bank is a service of its own: of the gateway it takes only the tables of contract/.',
      ),
    ),
    override(
      'src/client/**/*.ts',
      {
        group: ['**', '!./*'],
        allowTypeImports: true,
        message: "client/ is loaded by browsers: it imports nothing but types, and of the gateway only domain's.",
      },
      forbid(above('domain/'), packages, 'client/ imports types of domain/ alone.'),
    ),
    override('src/client/react.ts', { group: ['**', '!./*', '!react'], message: 'Its one package is React.' }),
    { files: ['src/config/**/*.ts', 'examples/**/*.ts'], rules: { 'node/no-process-env': 'off' } },
    {
      // A pattern without a slash matches in every folder.
      files: ['test/**/*.{ts,js}', 'examples/**/*.js', 'codegen.ts', 'vitest.config.ts'],
      rules: { 'node/no-process-env': 'off', 'max-lines': 'off', 'max-lines-per-function': 'off' },
    },
  ],
  ignorePatterns: [
    'examples/frontend',
    'examples/first-screen',
    'test/clients',
    'test/apollo-integration',
    'src/graphql/schema.generated.ts',
    'src/client/schema.generated.ts',
    'examples/*/src/gql',
    'dist',
    'node_modules',
  ],
});
