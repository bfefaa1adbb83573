/** Bundles the explorer's page and the workers of its editor into dist/explorer, each file compressed. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
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
    editorWorkerService: 'monaco-editor/esm/vs/editor/editor.worker.js',
    json: 'monaco-editor/esm/vs/language/json/json.worker.js',
    graphql: 'monaco-graphql/esm/graphql.worker.js',
  },
  outdir: 'dist/explorer',
  write: false,
  bundle: true,
  splitting: true,
  minify: true,
  format: 'esm',
  jsx: 'automatic',
  loader: { '.html': 'copy', '.yaml': 'copy', '.ttf': 'file' },
  assetNames: '[name]',
});
rmSync('dist/explorer', { recursive: true, force: true });
mkdirSync('dist/explorer', { recursive: true });
for (const { path, contents } of outputFiles) {
  // The style of the editor's parts is in the page's own.
  const isRepeated = path.endsWith('.css') && basename(path) !== 'explorer.css';
  if (!isRepeated) writeFileSync(`dist/explorer/${basename(path)}.gz`, gzipSync(contents, { level: 9 }));
}
