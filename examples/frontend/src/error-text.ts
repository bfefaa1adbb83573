import { gatewayErrors, type ErrorCode, type GatewayError } from 'settlement-graph/client';

interface ErrorText {
  /** What to tell the person at the screen. */
  readonly text: string;
  /** What the operator of the gateway finds the cause by. */
  readonly requestId: string | undefined;
  /** Whether asking once more can help. */
  readonly canRetry: boolean;
}

const outage = 'The payments service is not answering at the moment.';
const denied = 'Your account may not see this. Please ask your administrator.';
const tooMuch = 'Too much is going on at the moment.';

/** Codes that a person can do something about; every other is our own fault, or the operator's. */
const texts: Partial<Record<ErrorCode, string>> = {
  UNAUTHENTICATED: denied,
  FORBIDDEN: denied,
  NOT_FOUND: 'This record does not exist any more.',
  UPSTREAM_TIMEOUT: outage,
  UPSTREAM_UNAVAILABLE: outage,
  OVERLOADED: tooMuch,
  RATE_LIMITED: tooMuch,
  INVALID_CURSOR: 'This list has changed. Please reload the page.',
};

const retryable: ReadonlySet<ErrorCode> = new Set([
  'UPSTREAM_TIMEOUT',
  'UPSTREAM_UNAVAILABLE',
  'OVERLOADED',
  'RATE_LIMITED',
]);

/** What to say of a failed read. */
export function errorText(error: unknown): ErrorText {
  const [first] = gatewayErrors(error);
  if (first === undefined) {
    return { text: 'The connection was interrupted.', requestId: undefined, canRetry: true };
  }
  const { code, requestId } = first.extensions;
  const text = `${texts[code] ?? 'Something went wrong on our side.'}${waitText(first)}`;
  return { text, requestId, canRetry: retryable.has(code) };
}

function waitText({ extensions: { retryAfterSeconds } }: GatewayError): string {
  return retryAfterSeconds === undefined ? '' : ` Please wait ${retryAfterSeconds} seconds.`;
}
