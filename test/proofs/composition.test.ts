import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  compose,
  composers,
  exampleFolder,
  proofsFolder,
  readToldSchema,
  type Subgraph,
} from '../support/federation.ts';
import { startCommand } from '../support/process.ts';
import { record } from './evidence.ts';

const neighbour = (file: string): Subgraph => ({
  name: 'neighbour',
  url: 'http://127.0.0.1:4002/graphql',
  sdl: readFileSync(file, 'utf8'),
});
const friendly = neighbour(`${exampleFolder}/orders.graphql`);
const hostile = neighbour(`${proofsFolder}/hostile.graphql`);
const settlement = (sdl: string): Subgraph => ({ name: 'settlement', url: 'http://127.0.0.1:4000/graphql', sdl });

/** The schema as `npm run schema` prints it, and as a running gateway tells it. */
async function schemasUnder(prefix: string): Promise<readonly string[]> {
  const environment = { TYPE_PREFIX: prefix, IDEMPOTENCY_STORE: 'sqlite::memory:' };
  const printing = startCommand('node', ['src/cli.ts', 'schema'], { environment });
  const running = startCommand('node', ['src/cli.ts', 'serve'], { environment });
  const [, url = ''] = await running.printed(/GraphQL\s+(http:\S+)\/graphql/);
  expect(await printing.exited).toBe(0);
  return [printing.output(), await readToldSchema(url)];
}

/** How many of the composers take the schema in both its forms beside a neighbour. */
async function acceptance(prefix: string, beside: Subgraph): Promise<string> {
  const schemas = await schemasUnder(prefix);
  const outcomes = await Promise.all(
    composers.map((composer) => Promise.all(schemas.map((sdl) => compose(composer, [settlement(sdl), beside])))),
  );
  const taken = outcomes.filter((both) => both.every(({ errors }) => errors.length === 0));
  return `${taken.length}/${composers.length}`;
}

describe('every composer', () => {
  it('takes the graph beside a neighbour that extends it and shares its values', async () => {
    const plain = await acceptance('', friendly);
    expect(plain).toBe('3/3');
    record('Composers beside a neighbour that extends the graph', plain);
  });

  it('takes the prefixed graph beside a neighbour that calls everything the same, and none takes the plain one', async () => {
    const prefixed = await acceptance('Settlement', hostile);
    const plain = await acceptance('', hostile);
    expect(prefixed).toBe('3/3');
    expect(plain).toBe('0/3');
    record('Composers beside a hostile neighbour', `${prefixed} with TYPE_PREFIX, ${plain} without`);
  });
});
