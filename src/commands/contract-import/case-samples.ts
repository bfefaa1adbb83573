import { inputNames, type Contract } from '../../contract/contract.ts';
import type { WriteName } from '../../contract/operation-rows.ts';
import { createEnvelope } from '../../upstream/decoding/envelope.ts';
import { textOrNumber } from '../../upstream/decoding/exact-json.ts';
import { isRecord } from '../../upstream/decoding/field-decoders.ts';
import { compilePointers } from '../../upstream/decoding/json-pointer.ts';
import { addressFields, isWrite, type Input } from '../contract-cases/operation-kinds.ts';
import type { Sample } from '../contract-cases/starter-cases.ts';
import type { FoundMatch } from './match-operations.ts';

/** The answers of a vendor's file as samples for cases: those to writes with what the file says was sent. */
export function toCaseSamples(matches: readonly FoundMatch[], contract: Contract): readonly Sample[] {
  return matches.flatMap(({ operation, api }) =>
    api.answers
      .filter(({ body }) => body !== undefined)
      .map(({ status, body }) => {
        const input = isWrite(operation) ? toInput(contract, operation, api.body?.sample, body) : undefined;
        return { operation, status, body, ...(input !== undefined && { input }) };
      }),
  );
}

/** The input of a write by the graph's names, with the identifier from its answer. */
function toInput(contract: Contract, write: WriteName, sent: unknown, answer: unknown): Input {
  const wrapper = contract[`${write}.wrapper`];
  const body =
    wrapper === null ? sent : compilePointers([wrapper.startsWith('/') ? wrapper : `/${wrapper}`]).read(sent);
  const fields = inputNames(contract, write).flatMap(([field, wire]) => {
    const text = isRecord(body) ? textOrNumber(body[wire]) : undefined;
    return text === undefined ? [] : [[field, text] as const];
  });
  const [address, row] = addressFields[write] ?? [];
  const record = createEnvelope(contract).record(answer);
  const id = row === undefined ? undefined : textOrNumber(compilePointers(contract[row]).read(record));
  return Object.fromEntries(address === undefined ? fields : [[address, id ?? 'c1'], ...fields]);
}
