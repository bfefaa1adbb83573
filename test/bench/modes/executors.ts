import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { execute, parse, type ExecutionResult, type OperationDefinitionNode } from 'graphql';
import type { Context } from '../../../src/graphql/context.ts';
import { createExecutor } from '../../../src/graphql/execution/planned-executor.ts';
import { createSchema } from '../../../src/graphql/schema.ts';
import { createContexts } from '../../graphql/contexts.ts';
import { median } from '../median.ts';
import { fileOf } from '../files.ts';
import { questions } from '../questions.ts';
import { printTable, selectNamed, type Bench } from './mode.ts';

const warmUpRuns = 300;
const roundMs = 300;

/** Microseconds of one operation by the planned executor and by graphql-js, in this process, without HTTP and decoding. */
export async function runExecutors({ folder, options }: Bench): Promise<void> {
  const rows: string[][] = [];
  const schema = createSchema('');
  const createContext = contextFactory(folder);
  for (const { name, document: text, variables } of selectNamed(questions, options.only)) {
    const document = parse(text);
    const operation = document.definitions[0] as OperationDefinitionNode; // the questions begin with it
    const planned = createExecutor(schema, { onFallback: () => {}, onPlanningError: () => {} });
    const run = async (execution: (context: Context) => unknown): Promise<ExecutionResult> => {
      const context = createContext();
      const result = (await execution(context)) as ExecutionResult; // of both
      context.end(200);
      return result;
    };
    const plan = () => run((context) => planned({ document, operation, variables, context }));
    const graphqlJs = () =>
      run((contextValue) => execute({ schema, document, variableValues: variables, contextValue }));
    if (!isDeepStrictEqual(toPlain(await plan()), toPlain(await graphqlJs()))) throw new Error(`“${name}” differs`);
    for (let count = 0; count < warmUpRuns; count += 1) await Promise.all([plan(), graphqlJs()]);
    const times: number[][] = [];
    for (let round = 0; round < options.rounds; round += 1) times.push([await timeOf(plan), await timeOf(graphqlJs)]);
    const [ours = 0, theirs = 0] = [0, 1].map((index) => median(times.map((round) => round[index] ?? 0)));
    rows.push([name, ours.toFixed(0), theirs.toFixed(0), (theirs / ours).toFixed(1)]);
  }
  printTable(['question', 'plan, µs', 'graphql-js, µs', 'ratio'], rows);
}

/** The mean time of one run in microseconds. */
async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  let count = 0;
  for (; performance.now() - startedAt < roundMs; count += 1) await run();
  return ((performance.now() - startedAt) / count) * 1000;
}

/** Contexts whose calls are answered from memory, already decoded. */
function contextFactory(folder: string): () => Context {
  const answers = new Map<string, unknown>();
  return createContexts(async (operation, { path }) => {
    const key = `${operation.name} ${path}`;
    const decoded =
      answers.get(key) ?? operation.decode(JSON.parse(readFileSync(join(folder, 'answers', fileOf(path)), 'utf8')));
    answers.set(key, decoded);
    return decoded as ReturnType<typeof operation.decode>; // this operation has decoded it
  });
}

/** Without prototypes, by which executors differ. */
function toPlain({ data }: ExecutionResult): unknown {
  return JSON.parse(JSON.stringify(data ?? null));
}
