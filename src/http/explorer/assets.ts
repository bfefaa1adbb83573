import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';

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

/** An operation with which the explorer opens before the embedded bank, whose data it names. */
interface Lesson {
  readonly query: string;
  readonly variables: object;
}

export const readLessons = (): readonly Lesson[] =>
  parse(readFileSync(join(folder, 'lessons.yaml'), 'utf8'), { merge: true }) as readonly Lesson[]; // a file of our own

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
