import type { Contract } from '../../contract/contract.ts';
import { textOrNumber } from './exact-json.ts';
import { isRecord } from './field-decoders.ts';
import { compileEach, compilePointers } from './json-pointer.ts';

/** The record in an answer; `source` is undefined where there is none. */
interface EnvelopedRecord {
  readonly source: unknown;
  /** The JSON pointer at which it stands. */
  readonly path: string;
  /** Whether it is what stands beside the members of the envelope, in a body without a wrapper. */
  readonly isBesideFlag: boolean;
}

/** Compiles the reader of the envelope round the service's records: the record, the codes, the message. */
export function createEnvelope(contract: Contract) {
  const data = compilePointers(contract['envelope.data']);
  const dataNames = firstNames(contract['envelope.data']);
  const message = compilePointers(contract['errors.message']);
  const readCodes = compileEach(contract['envelope.code']);
  const envelopeNames = new Set([
    ...firstNames(contract['envelope.success']),
    ...firstNames(contract['envelope.failure']),
    ...firstNames(contract['envelope.failureKeys']),
    ...firstNames(contract['errors.message']),
    ...firstNames(contract['errors.fields']),
  ]);

  const findRecord = (body: unknown): EnvelopedRecord => {
    const value = data.read(body);
    if (value !== undefined && value !== body) return { source: value, path: data.locate(body), isBesideFlag: false };
    if (!isRecord(body)) return { source: body, path: '', isBesideFlag: false };
    const members = Object.entries(body);
    const others = members.filter(([name]) => !envelopeNames.has(name));
    const isNone = others.length === 0 || dataNames.some((name) => Object.hasOwn(body, name));
    if (isNone) return { source: undefined, path: data.locate(body), isBesideFlag: false };
    const isBesideFlag = others.length < members.length;
    return { source: isBesideFlag ? Object.fromEntries(others) : body, path: '', isBesideFlag };
  };

  return {
    findRecord,
    /** The codes of a body, as texts: it may have one at each pointer of the row. */
    codeTexts: (body: unknown): readonly string[] =>
      readCodes(body)
        .map(scalarText)
        .filter((text) => text !== ''),
    errorMessage: (body: unknown): string | undefined => {
      const text = message.read(body);
      // Frameworks send a list of sentences there.
      if (Array.isArray(text) && text.length > 0 && text.every((each) => typeof each === 'string'))
        return text.join(' ');
      return typeof text === 'string' ? text : undefined;
    },
  };
}

/** The names at the top of a body under which these pointers lead. */
function firstNames(pointers: readonly string[]): readonly string[] {
  return pointers.flatMap((pointer) => pointer.split('/')[1] ?? []);
}

/** A text, number or boolean as text; empty for any other value. */
export function scalarText(value: unknown): string {
  return typeof value === 'boolean' ? String(value) : (textOrNumber(value) ?? '');
}
