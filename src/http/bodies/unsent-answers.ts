import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** Limit of unsent characters: more than honest clients leave unread together, since they take an answer within milliseconds. */
const maxUnsentLength = 64 * 1024 * 1024;
/** Smaller answers are not counted: they fit into the system's buffers. */
const minCountedLength = 64 * 1024;
/** Younger answers are not closed: their clients may still be reading. */
const minAgeMs = 1_000;

interface UnsentAnswer {
  /** Characters of its text, nearly as many as bytes. */
  readonly length: number;
  readonly startedAt: number;
}

/**
 * Limits the memory of answers that clients do not read. Beyond 64 MiB together the connections of those that began first
 * are closed until the others fit.
 */
export function limitUnsentAnswers(routes: FastifyInstance): void {
  const answers = new Map<ServerResponse, UnsentAnswer>();
  let total = 0;
  const forget = (answer: ServerResponse): void => {
    total -= answers.get(answer)?.length ?? 0;
    answers.delete(answer);
  };
  const closeOldest = (now: number): void => {
    for (const [answer, { startedAt }] of answers) {
      if (total <= maxUnsentLength || now - startedAt < minAgeMs) return;
      forget(answer);
      answer.destroy();
    }
  };

  routes.addHook('onSend', (_, { raw }, payload, next) => {
    if (typeof payload === 'string' && payload.length >= minCountedLength && !raw.destroyed) {
      const startedAt = performance.now();
      answers.set(raw, { length: payload.length, startedAt });
      total += payload.length;
      raw.once('close', () => forget(raw));
      closeOldest(startedAt);
    }
    next(null, payload);
  });
}
