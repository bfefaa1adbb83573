import type { GatewayErrorCode } from '../domain/errors.ts';

/** Codes of requests that are refused before any field is resolved. */
type DocumentErrorCode =
  | 'BAD_REQUEST'
  | 'COST_ESTIMATED_TOO_EXPENSIVE'
  | 'GRAPHQL_PARSE_FAILED'
  | 'GRAPHQL_VALIDATION_FAILED'
  | 'INTERNAL_SERVER_ERROR'
  | 'LIMIT_EXCEEDED'
  | 'OPERATION_RESOLUTION_FAILURE'
  | 'PERSISTED_QUERY_NOT_FOUND'
  | 'PERSISTED_QUERY_NOT_SUPPORTED';

/** Every `extensions.code` of the gateway. */
export type ErrorCode = GatewayErrorCode | DocumentErrorCode;

const outdated = 'This page is out of date. Please reload it.';
const tooLarge = 'This asks for too much at once. Please narrow it down.';

/** The sentence for a person, by code. A record, so that the compiler reports a missing one, here and in translations. */
export const errorSentences: Readonly<Record<ErrorCode, string>> = {
  BAD_REQUEST: outdated,
  BAD_USER_INPUT: 'A value is not one that can be used here.',
  CONTRACT_UNDECIDED: 'This is not set up yet. Please report it with the reference below.',
  COST_ESTIMATED_TOO_EXPENSIVE: tooLarge,
  FORBIDDEN: 'Your account may not do this. Please ask your administrator.',
  GRAPHQL_PARSE_FAILED: outdated,
  GRAPHQL_VALIDATION_FAILED: outdated,
  IDEMPOTENCY_KEY_REUSED: 'This was sent before with other values. Please look up what became of it.',
  IDEMPOTENCY_STORE_UNAVAILABLE:
    'This cannot be done safely at the moment, so nothing was sent. Please try again shortly.',
  INTERNAL_SERVER_ERROR: 'Something went wrong on our side. Please report it with the reference below.',
  INVALID_CURSOR: 'This list has changed. Please load it again.',
  LIMIT_EXCEEDED: tooLarge,
  NOT_FOUND: 'This record does not exist any more.',
  OPERATION_RESOLUTION_FAILURE: outdated,
  OUTCOME_UNKNOWN: 'We do not know yet whether this was done. Please look it up before you try again.',
  OVERLOADED: 'Too much is going on at the moment. Please try again shortly.',
  PERSISTED_QUERY_NOT_FOUND: outdated,
  PERSISTED_QUERY_NOT_SUPPORTED: outdated,
  RATE_LIMITED: 'Too many requests were made. Please wait a moment and try again.',
  UNAUTHENTICATED: 'Your organisation is not signed in to the payments service. Please ask your administrator.',
  UPSTREAM_INVALID_RESPONSE: 'The payments service gave an answer that cannot be read. Please report it.',
  UPSTREAM_TIMEOUT: 'The payments service takes too long to answer. Please try again shortly.',
  UPSTREAM_UNAVAILABLE: 'The payments service is not answering at the moment. Please try again shortly.',
};

/** The sentences of what has no code, and of an unknown outcome that cannot be looked up. */
export const otherSentences = {
  interrupted: 'The connection was interrupted.',
  noLookup: 'We do not know whether this was done, and it cannot be looked up.',
  notLoaded: 'This could not be loaded.',
} as const;

/** The sentence for a person, by code; translations may have the others, too. */
export type Sentences = Readonly<Record<ErrorCode, string> & Partial<Record<keyof typeof otherSentences, string>>>;
