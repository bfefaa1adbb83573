/** Packs what `npm run build` has made of src/client as a package of its own, without the gateway's dependencies. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const { version, license, peerDependencies, peerDependenciesMeta } = JSON.parse(readFileSync('package.json'));
const entry = (name) => ({ types: `./client/${name}.d.ts`, default: `./client/${name}.js` });
const manifest = {
  name: 'settlement-graph-client',
  version,
  description: 'What frontends of settlement-graph share: cache policies, error sentences, writes that happen once.',
  license,
  type: 'module',
  sideEffects: false,
  exports: {
    '.': entry('index'),
    './look-up': entry('look-up'),
    './react': entry('react'),
    './schema.graphql': './client/schema.graphql',
    './package.json': './package.json',
  },
  peerDependencies,
  peerDependenciesMeta,
};

const folder = mkdtempSync(join(tmpdir(), 'settlement-graph-client-'));
cpSync('dist/client', join(folder, 'client'), { recursive: true });
// The types of errors, which are the gateway's.
cpSync('dist/domain/errors.d.ts', join(folder, 'domain/errors.d.ts'));
cpSync('LICENSE', join(folder, 'LICENSE'));
writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, null, 2));
execFileSync('npm', ['pack', folder], { stdio: 'inherit' });
rmSync(folder, { recursive: true });
