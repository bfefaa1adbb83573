import type { FastifyReply } from 'fastify';

/** Messages by field of a request body or query. */
type FieldErrors = Readonly<Record<string, readonly string[] | undefined>>;

/** A response of the embedded bank; `body` is serialized as JSON. */
export interface Answer {
  readonly status: number;
  readonly body?: unknown;
}

export const accept = (message: string, data: unknown, status = 200): Answer => ({
  status,
  body: { success: true, message, data },
});

export const refuse = (status: number, message: string, errors?: FieldErrors): Answer => ({
  status,
  body: errors === undefined ? { success: false, message } : { success: false, message, errors },
});

export const refuseFields = (errors: FieldErrors): Answer => refuse(422, 'The given values were not accepted.', errors);

export const send = (reply: FastifyReply, { status, body }: Answer): void => {
  void reply.code(status).send(body);
};
