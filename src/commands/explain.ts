import type { Config } from '../config/config.ts';
import { createContract } from '../contract/contract.ts';
import { createExplain, type Explanation } from '../graphql/explain/explain-operation.ts';
import { createOperations } from '../upstream/operations.ts';
import { parseObject, printReport } from './command-line.ts';
import { readInput } from '../contract-tools/cases/saved-answer.ts';
import { readOverrides } from './contract-overrides.ts';
import type { CommandLine } from './usage.ts';

/** `settlement-graph explain FILE`; returns the exit code, 1 where the operation would be refused for its cost. */
export async function explainCommand({ file, values }: CommandLine, readConfig: () => Config): Promise<number> {
  const config = readConfig();
  const contract = createContract(await readOverrides(config));
  const { explain } = createExplain(config, contract, createOperations(contract));
  const variables = parseObject(values.variables ?? '{}', '--variables must be a JSON object.');
  const document = (await readInput(file)).toString('utf8');
  const explanation = withAllFaults(() => explain({ document, operationName: values.operation, variables }));
  printReport(values.json === true ? explanation : toTree(explanation));
  return explanation.calls > explanation.maximum ? 1 : 0;
}

function withAllFaults(explain: () => Explanation): Explanation {
  try {
    return explain();
  } catch (error) {
    if (!(error instanceof AggregateError)) throw error;
    throw new Error([error.message, ...error.errors.map(String)].join('\n'), { cause: error });
  }
}

/** The fields below each other, as they are selected. */
function toTree({ calls, maximum, waves, credentials, fields }: Explanation): string {
  const lines = [`${calls} of ${maximum} calls, in ${waves.length} wave${waves.length === 1 ? '' : 's'}`];
  const widest = Math.max(0, ...fields.map(({ calls }) => String(calls).length));
  for (const { field, operation, calls, wave } of fields) {
    const above = fields.filter((other) => field.startsWith(`${other.field}.`));
    const name = field.slice(Math.max(0, ...above.map((other) => other.field.length + 1)));
    lines.push(
      `${String(calls).padStart(widest + 2)}  ${'  '.repeat(above.length)}${name}  ${operation}, wave ${wave}`,
    );
  }
  lines.push(`needs ${credentials.length === 0 ? 'no credential' : credentials.join(' and ')}`);
  return `${lines.join('\n')}\n`;
}
