import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { execute as toolsExecute } from '@graphql-tools/executor';
import { execute, parse, type DocumentNode, type ExecutionResult, type OperationDefinitionNode } from 'graphql';
import { compileQuery } from 'graphql-jit';
import type { Context } from '../../../src/graphql/context.ts';
import { createExecutor } from '../../../src/graphql/execution/planned-executor.ts';
import { createSchema } from '../../../src/graphql/schema.ts';
import { createContexts } from '../../support/contexts.ts';
import { median } from '../../support/median.ts';
import { fileOf } from '../files.ts';
import { questions, type Question } from '../questions.ts';
import { printTable } from '../report.ts';
import { selectNamed, type Bench } from './mode.ts';

const warmUpRuns = 300;
const roundMs = 300;

/** What all executors are given. */
interface Operation {
  readonly document: DocumentNode;
  readonly variables: Question['variables'];
  readonly context: Context;
}

type Run = (operation: Operation) => Promise<ExecutionResult>;

/** Microseconds of one operation by the planned executor and by others, in this process, without HTTP and decoding. */
export async function runExecutors({ folder, options }: Bench): Promise<void> {
  const rows: (readonly string[])[] = [];
  const createContext = contextFactory(folder);
  for (const question of selectNamed(questions, options.only)) {
    const executors = createExecutors();
    const measured = await measure(executors, question, createContext, options.rounds);
    const [ours = 1] = measured;
    rows.push([question.name, ...measured.map((us) => `${us.toFixed(0)} (${(us / ours).toFixed(1)})`)]);
  }
  printTable(['question: µs (over the plan’s)', ...Object.keys(createExecutors())], rows);
}

async function measure(
  executors: Readonly<Record<string, Run>>,
  { document: text, variables }: Question,
  createContext: () => Context,
  rounds: number,
): Promise<readonly number[]> {
  const document = parse(text);
  const run = async (execution: Run): Promise<ExecutionResult> => {
    const context = createContext();
    const result = await execution({ document, variables, context });
    context.end(200);
    return result;
  };
  const runs = Object.values(executors);
  const results = await Promise.all(runs.map(run));
  const differing = results.findIndex(({ data }) => !isDeepStrictEqual(toPlain(data), toPlain(results[0]?.data)));
  if (differing !== -1) throw new Error(`${Object.keys(executors)[differing]} answers otherwise`);
  for (const execution of runs) for (let count = 0; count < warmUpRuns; count += 1) await run(execution);
  const times: number[][] = runs.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, execution] of runs.entries()) times[index]?.push(await timeOf(() => run(execution)));
  }
  return times.map(median);
}

/** The mean time of one run in microseconds. */
async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  let count = 0;
  for (; performance.now() - startedAt < roundMs; count += 1) await run();
  return ((performance.now() - startedAt) / count) * 1000;
}

function createExecutors(): Readonly<Record<string, Run>> {
  const schema = createSchema('');
  const planned = createExecutor(schema, { onFallback: () => {}, onPlanningError: () => {} });
  const compiled = new WeakMap<DocumentNode, ReturnType<typeof compileQuery>>();
  return {
    plan: async ({ document, variables, context }) => {
      const operation = document.definitions[0] as OperationDefinitionNode; // the questions begin with it
      const result = planned({ document, operation, variables, context });
      if (result === undefined) throw new Error('no plan');
      return result;
    },
    'graphql-js': async ({ document, variables, context }) =>
      execute({ schema, document, variableValues: variables, contextValue: context }),
    'graphql-jit': async ({ document, variables, context }) => {
      const query = compiled.get(document) ?? compileQuery(schema, document);
      compiled.set(document, query);
      if (!('query' in query)) throw new Error('not compiled');
      return query.query(undefined, context, variables) as Promise<ExecutionResult>; // one of a query is no stream
    },
    '@graphql-tools/executor': async ({ document, variables, context }) =>
      toolsExecute({ schema, document, variableValues: variables, contextValue: context }) as Promise<ExecutionResult>, // no @defer
  };
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
function toPlain(data: unknown): unknown {
  return JSON.parse(JSON.stringify(data ?? null));
}
