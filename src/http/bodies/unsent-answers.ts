import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** Limit of unsent bytes: more than honest clients leave unread together, since they take an answer within milliseconds. */
const maxUnsentBytes = 64 * 1024 * 1024;
/** Smaller answers are not counted: they fit into the system's buffers. */
const minCountedBytes = 64 * 1024;
/** Younger answers are not closed: their clients may still be reading. */
const minAgeMs = 1_000;

interface UnsentAnswer {
  readonly bytes: number;
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
    total -= answers.get(answer)?.bytes ?? 0;
    answers.delete(answer);
  };
  const closeOldest = (now: number): void => {
    for (const [answer, { startedAt }] of answers) {
      if (total <= maxUnsentBytes || now - startedAt < minAgeMs) return;
      forget(answer);
      answer.destroy();
    }
  };

  routes.addHook('onSend', (_, { raw }, payload, next) => {
    if (typeof payload === 'string' && payload.length >= minCountedBytes && !raw.destroyed) {
      const startedAt = performance.now();
      answers.set(raw, { bytes: payload.length, startedAt });
      total += payload.length;
      raw.once('close', () => forget(raw));
      closeOldest(startedAt);
    }
    next(null, payload);
  });
}
