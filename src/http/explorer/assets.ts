import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export interface Asset {
  readonly type: string;
  readonly read: () => Buffer;
}

const javascript = 'text/javascript; charset=utf-8';
const css = 'text/css; charset=utf-8';
const html = 'text/html; charset=utf-8';

/** Files that lie beside this one. */
const ownFiles = {
  'page.html': html,
  'explorer.js': javascript,
  'calls.js': javascript,
  'explorer.css': css,
  'to-explorer.js': javascript,
} as const;

/** Prebuilt files of optional packages. */
const packageFiles = [
  ['react.js', 'react', 'umd/react.production.min.js', javascript],
  ['react-dom.js', 'react-dom', 'umd/react-dom.production.min.js', javascript],
  ['graphiql.js', 'graphiql', 'graphiql.min.js', javascript],
  ['graphiql.css', 'graphiql', 'graphiql.min.css', css],
] as const;

const require = createRequire(import.meta.url);

/** The page's files by name. Those of packages are absent where the packages were left out of the installation. */
export function readAssets(): ReadonlyMap<string, Asset> {
  const assets = new Map<string, Asset>();
  const add = (name: string, type: string, path: string): void => {
    assets.set(name, { type, read: () => readFileSync(path) });
  };
  for (const [name, type] of Object.entries(ownFiles)) add(name, type, join(import.meta.dirname, 'assets', name));
  for (const [name, packageName, file, type] of packageFiles) {
    const folder = findPackage(packageName);
    if (folder !== undefined) add(name, type, join(folder, file));
  }
  return assets;
}

function findPackage(name: string): string | undefined {
  try {
    return dirname(require.resolve(`${name}/package.json`));
  } catch {
    return undefined;
  }
}
