/** `node make-manifest.js > manifest.json`: the file for TRUSTED_DOCUMENTS, from the documents that codegen has written. */
import { readFileSync } from 'node:fs';

const documents = JSON.parse(readFileSync('src/gql/persisted-documents.json', 'utf8'));
const operations = Object.entries(documents).map(([id, body]) => {
  const { groups } = /\b(?<type>query|mutation) (?<name>\w+)/.exec(body);
  return { id, body, ...groups };
});
console.log(JSON.stringify({ format: 'apollo-persisted-query-manifest', version: 1, operations }));
