/**
 * Bundles the explorer's page and the workers of its editor into dist/explorer, each file compressed, beside the licences of
 * the packages in them.
 */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const page = 'src/http/explorer/page';
const { outputFiles, metafile } = await build({
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
  metafile: true,
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

const inputs = Object.values(metafile.outputs).flatMap((output) => Object.keys(output.inputs));
const folders = new Set(inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []));
const licences = [...folders].toSorted().map((folder) => {
  const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as Record<
    string,
    string
  >;
  const texts = globSync(`${folder}/{LICENSE,LICENCE,NOTICE,ThirdPartyNotices,license,licence}*`).map((file) =>
    readFileSync(file, 'utf8'),
  );
  return [`${name}@${version}`, license, ...texts].join('\n');
});
writeFileSync('dist/explorer/LICENSES.txt', licences.join('\n\n'));
