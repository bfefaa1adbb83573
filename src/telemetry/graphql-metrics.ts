import type { GraphQLFormattedError } from 'graphql';
import { gatewayErrorIn, type GatewayError } from '../domain/errors.ts';
import { gather } from './buffered-counter.ts';
import type { Meters } from './metric-definitions.ts';
import type { OperationListener } from '../graphql/operation-listener.ts';
import { rootFieldsOf } from '../graphql/limits/root-fields.ts';

/** Whether a document's text is on the manifest: only then is its operation's name not the client's own choice. */
export type IsTrusted = (text: string) => boolean;

interface Measuring {
  readonly listener: OperationListener;
  /** Hands to the meters what was gathered for them. */
  readonly flush: () => void;
}

/** Counts what GraphQL answered: root fields by code, requests refused as a whole, contradictions of the contract. */
export function createMeasuring(meters: Meters, isTrusted: IsTrusted): Measuring {
  const fields = gather<string, string>((field, code, count) => meters.rootFields.inc({ field, code }, count));
  const listener: OperationListener = {
    onErrors: (errors) => {
      for (const error of errors) {
        const surprise = surpriseIn(error);
        if (surprise === undefined) continue;
        const { operation = 'unknown', row = 'unknown' } = surprise.details;
        meters.surprises.inc({ operation, row });
      }
    },
    onAnswer: ({ errors = [], data }, { startedAt }, asked) => {
      if (asked === undefined || data === undefined) {
        meters.rejections.inc({ reason: codeOf(errors[0]).toLowerCase() });
        return;
      }
      const { schema, source, document, operation } = asked;
      meters.duration.observe(operation.operation, (performance.now() - startedAt) / 1000);
      if (isTrusted(source)) {
        meters.trustedOperations.inc({
          operation: operation.name?.value ?? '',
          code: errors[0] ? codeOf(errors[0]) : 'OK',
        });
      }
      const codes = errors.length === 0 ? noCodes : firstCodes(errors);
      for (const [key, field] of rootFieldsOf(schema, document, operation)) {
        fields.add(field, codes.get(key) ?? 'OK');
      }
    },
  };
  return { listener, flush: fields.flush };
}

/** A write's answer that contradicts the contract is told as an unknown outcome, of which it is the cause. */
function surpriseIn(error: unknown): GatewayError | undefined {
  const own = gatewayErrorIn(error);
  return own === undefined || own.code === 'UPSTREAM_INVALID_RESPONSE' ? own : surpriseIn(own.cause);
}

type Codes = ReadonlyMap<unknown, string>;
const noCodes: Codes = new Map();

/** The code of the first error under each root field. */
function firstCodes(errors: readonly GraphQLFormattedError[]): Codes {
  const codes = new Map<unknown, string>();
  for (const error of errors) if (!codes.has(error.path?.[0])) codes.set(error.path?.[0], codeOf(error));
  return codes;
}

/** Codes are our own closed set: the formatter has let no other through. */
function codeOf(error: GraphQLFormattedError | undefined): string {
  return String(error?.extensions?.['code']);
}
