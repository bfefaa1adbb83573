import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Files that lie beside this one, and prebuilt files of optional packages, by the names that the page asks for. */
const ownFiles = ['page.html', 'explorer.js', 'calls.js', 'explorer.css', 'to-explorer.js'];
const packageFiles = [
  ['react.js', 'react', 'umd/react.production.min.js'],
  ['react-dom.js', 'react-dom', 'umd/react-dom.production.min.js'],
  ['graphiql.js', 'graphiql', 'graphiql.min.js'],
  ['graphiql.css', 'graphiql', 'graphiql.min.css'],
] as const;

const folder = join(import.meta.dirname, 'assets');
const require = createRequire(import.meta.url);

/** The documents that the explorer opens with, a blank line between two of them. */
export const readLessons = (): string => readFileSync(join(folder, 'lessons.graphql'), 'utf8');

/** The paths of the page's files by name. Those of packages that are not installed are absent. */
export function findAssets(): ReadonlyMap<string, string> {
  const assets = new Map(ownFiles.map((name) => [name, join(folder, name)]));
  for (const [name, packageName, file] of packageFiles) {
    try {
      assets.set(name, join(dirname(require.resolve(`${packageName}/package.json`)), file));
    } catch {
      // An optional package.
    }
  }
  return assets;
}
