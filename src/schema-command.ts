import { printSubgraphSchema } from '@apollo/subgraph';
import { createSchema } from './schema.ts';

/** `settlement-graph schema`; returns the exit code. */
export async function schemaCommand(args: readonly string[], readTypePrefix: () => string): Promise<number> {
  if (args.length > 0) throw new Error(`There is no schema ${args.join(' ')}.`);
  process.stdout.write(`${printSubgraphSchema(createSchema(readTypePrefix()))}\n`);
  return 0;
}
