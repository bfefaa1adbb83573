/** Prints what a release consists of, as CycloneDX: the dependencies, and the packages that are bundled in the explorer. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

// With `--omit dev` npm leaves out every dependency on which a development dependency depends, too.
const options = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'];
const bom = JSON.parse(execFileSync('npm', options, { maxBuffer: 2 ** 26 }));
const dependencies = Object.entries(JSON.parse(readFileSync('package-lock.json')).packages)
  .filter(([, { dev }]) => dev !== true)
  .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`);
const bundled = readFileSync('dist/explorer/LICENSES.txt', 'utf8').match(/^\S+@\d\S*$/gm);
const shipped = new Set([bom.metadata.component['bom-ref'], ...dependencies, ...bundled]);

// A component's properties call those of the explorer development dependencies, as they are to npm.
bom.components = bom.components
  .filter((component) => shipped.has(component['bom-ref']))
  .map((component) => ({ ...component, properties: undefined }));
bom.dependencies = bom.dependencies
  .filter(({ ref }) => shipped.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => shipped.has(other)) }));
console.log(JSON.stringify(bom, null, 2));
