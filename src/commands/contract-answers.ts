import { recordKinds, operationNames } from '../contract/operation-rows.ts';
import type { Config } from '../config/config.ts';
import { createContract, type OperationName } from '../contract/contract.ts';
import { nearestName } from '../runtime/nearest-name.ts';
import { parseObject, printReport } from './command-line.ts';
import { rowsInForce } from './contract-overrides.ts';
import { parseAnswer, readInput } from '../contract-tools/cases/saved-answer.ts';
import { findInputFault } from '../contract-tools/operation-kinds.ts';
import type { Sample } from '../contract-tools/sample.ts';
import { parseBody } from '../upstream/index.ts';
import { parseCases, printResults, testCases } from '../contract-tools/cases/test-cases.ts';
import { printTrial, tryAnswer } from '../contract-tools/cases/try-answer.ts';
import type { CommandLine } from './usage.ts';

/**
 * `settlement-graph contract try FILE --operation NAME`; returns the exit code. 0: read; 1: contradicted, or nothing was
 * found. Throws where it cannot run.
 */
export async function tryCommand({ file, values }: CommandLine, readConfig: () => Config): Promise<number> {
  const operation = toOperation(values.operation);
  const { overrides, source } = await rowsInForce(readConfig());
  const noObject = '--input: found no JSON object; allowed: one such as {"firstName": "Ada"}.';
  const input = values.input === undefined ? undefined : parseObject(values.input, noObject);
  const fault = findInputFault(createContract(overrides), operation, input);
  if (fault !== undefined) throw new Error(`--input: ${fault.field ?? operation}: allowed: ${fault.allowed}.`);
  const status = toStatus(values.status);
  if (file === '-' && process.stdin.isTTY) console.error('Paste the answer, then press Ctrl+D.');
  const answer = parseAnswer(await readInput(file), status);
  const sample: Sample = {
    operation,
    status: answer.status,
    headers: answer.headers,
    body: parseBody(answer.body),
    bytes: answer.body,
    ...(values.id !== undefined && { id: values.id }),
    ...(input !== undefined && { input }),
  };
  const trial = await tryAnswer(overrides, sample, values.values === true);
  printReport(values.json === true ? { ...trial, source } : printTrial(trial, source));
  return trial.exitCode;
}

/**
 * `settlement-graph contract test FILE`; returns the exit code. 0: every case passes; 1: one fails. Throws where it cannot
 * run.
 */
export async function testCommand({ file, values }: CommandLine, readConfig: () => Config): Promise<number> {
  const { overrides, source } = await rowsInForce(readConfig());
  const name = file === '-' ? 'standard input' : file;
  const contract = createContract(overrides);
  const cases = parseCases((await readInput(file)).toString('utf8'), name, contract);
  const results = await testCases(contract, cases);
  const failed = results.filter(({ passed }) => !passed).length;
  const report = { source, passed: results.length - failed, failed, cases: results };
  printReport(values.json === true ? report : printResults(results, name, source));
  return failed > 0 ? 1 : 0;
}

function toOperation(name: string | undefined): OperationName {
  if (name === undefined) throw new Error(`contract try needs --operation NAME, one of: ${operationNames.join(', ')}.`);
  if (Object.hasOwn(recordKinds, name)) return name as OperationName; // hasOwn has proved it one
  throw new Error(
    `There is no operation ${name}; did you mean ${nearestName(name, operationNames).name}? All: ${operationNames.join(', ')}.`,
  );
}

function toStatus(text: string | undefined): number | undefined {
  if (text !== undefined && !/^[2-5]\d\d$/.test(text))
    throw new Error(`--status: found ${JSON.stringify(text)}; allowed: an HTTP status from 200 to 599.`);
  return text === undefined ? undefined : Number(text);
}
