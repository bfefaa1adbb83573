/** Bundles the explorer's page and the workers of its editor into dist/explorer, each file compressed. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const page = 'src/http/explorer/page';
const { outputFiles } = await build({
  entryPoints: {
    page: `${page}/page.html`,
    lessons: `${page}/lessons.yaml`,
    'to-explorer': `${page}/to-explorer.js`,
    explorer: `${page}/explorer.jsx`,
    editor: 'monaco-editor/esm/vs/editor/editor.worker.js',
    json: 'monaco-editor/esm/vs/language/json/json.worker.js',
    graphql: 'monaco-graphql/esm/graphql.worker.js',
  },
  outdir: 'dist/explorer',
  write: false,
  bundle: true,
  minify: true,
  format: 'esm',
  jsx: 'automatic',
  loader: { '.html': 'copy', '.yaml': 'copy', '.ttf': 'file' },
  assetNames: '[name]',
});
mkdirSync('dist/explorer', { recursive: true });
for (const { path, contents } of outputFiles)
  writeFileSync(`dist/explorer/${basename(path)}.gz`, gzipSync(contents, { level: 9 }));
