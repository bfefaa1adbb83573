/**
 * Composes with one composer: `node compose.js theguild|apollo|wundergraph < subgraphs.json`, where the input is
 * `[{ name, url, sdl }]`; prints `{ errors, hints, supergraph }`. A program of its own, since these packages are not the product's.
 */
import { text } from 'node:stream/consumers';
import { parse } from 'graphql';

const composers = {
  theguild: async (services) => {
    const { composeServices } = await import('@theguild/federation-composition');
    const { errors = [], supergraphSdl } = composeServices(services);
    return { errors, supergraph: supergraphSdl };
  },
  apollo: async (services) => {
    const { composeServices } = await import('@apollo/composition');
    const { errors = [], supergraphSdl, hints = [] } = composeServices(services);
    return { errors, hints, supergraph: supergraphSdl };
  },
  wundergraph: async (services) => {
    const { federateSubgraphs } = await import('@wundergraph/composition');
    const subgraphs = services.map(({ name, url, typeDefs }) => ({ name, url, definitions: typeDefs }));
    const { success, errors = [], warnings } = federateSubgraphs({ subgraphs, version: '1' });
    return { errors: success ? [] : errors, hints: warnings };
  },
};

const services = JSON.parse(await text(process.stdin)).map(({ sdl, ...service }) => ({
  ...service,
  typeDefs: parse(sdl),
}));
const { errors, hints = [], supergraph } = await composers[process.argv[2]](services);
process.stdout.write(
  JSON.stringify({ errors: errors.map(String), hints: hints.map(({ message }) => message), supergraph }),
);
