/** Makes the supergraph, which is what a router reads: the subgraphs' schemas, as they tell them, composed into one. */
import { composeServices } from '@theguild/federation-composition';
import { parse } from 'graphql';

/** `services` is `[{ name, url }]`. Outside development a subgraph tells no schema: take the text of `npm run schema`. */
export async function composeSupergraph(services) {
  const described = await Promise.all(
    services.map(async ({ name, url }) => ({ name, url, typeDefs: parse(await readSchema(url)) })),
  );
  const { errors, supergraphSdl } = composeServices(described);
  if (errors !== undefined) throw new AggregateError(errors, errors.map(({ message }) => message).join('\n'));
  return supergraphSdl;
}

async function readSchema(url) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ service: _service { sdl } }' }),
  });
  const { data } = await response.json();
  return data.service.sdl;
}
