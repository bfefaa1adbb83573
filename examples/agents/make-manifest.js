/** `node make-manifest.js`: writes the documents beside it into manifest.json, the file for TRUSTED_DOCUMENTS. */
import { hash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = import.meta.dirname;
const bodies = readdirSync(folder)
  .filter((name) => name.endsWith('.graphql'))
  .map((name) => readFileSync(join(folder, name), 'utf8'));
const operations = bodies.map((body) => ({ id: hash('sha256', body, 'hex'), body }));
const manifest = { format: 'apollo-persisted-query-manifest', version: 1, operations };
writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
