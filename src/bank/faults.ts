import { setTimeout } from 'node:timers/promises';

import type { FastifyReply } from 'fastify';
import { z } from 'zod';

import { refuse, send, type Answer } from './answer.ts';
import { operationNames, type OperationName } from './operations.ts';
import { objectMessage } from './validate.ts';

/** An order to misbehave: what the next `count` calls, of one operation or of any, meet instead of their answer. */
export const faultInput = z
  .strictObject(
    {
      operation: z.enum(operationNames, 'Must be the name of an operation.').optional(),
      count: z.int().min(1).max(10_000).default(1),
      latencyMs: z.int().min(0).max(60_000).optional(),
      status: z.int().min(200).max(599).optional(),
      cut: z.enum(['before', 'after']).optional(),
      body: z.unknown().optional(),
    },
    objectMessage,
  )
  .refine(
    (fault) => fault.latencyMs !== undefined || fault.cut !== undefined || answers(fault),
    'Must name latencyMs, status, cut or body.',
  )
  .refine((fault) => fault.cut === undefined || !answers(fault), 'Must not both cut and answer.');

type Fault = z.output<typeof faultInput>;

/** Orders in the sequence of their arrival. */
export interface Faults {
  /** False when too many orders are waiting. */
  readonly add: (fault: Fault) => boolean;
  /** The first order that this call falls under; it counts as one of its calls. */
  readonly take: (operation: OperationName | null) => Fault | undefined;
  readonly clear: () => void;
}

const capacity = 1000;

/** A fault whose body is null or false answers too: what counts is that one was given. */
const answers = (fault: { readonly status?: number | undefined }): boolean =>
  fault.status !== undefined || 'body' in fault;

export const createFaults = (): Faults => {
  const waiting: { readonly fault: Fault; left: number }[] = [];
  return {
    add: (fault) => {
      if (waiting.length >= capacity) return false;
      waiting.push({ fault, left: fault.count });
      return true;
    },
    take: (operation) => {
      const index = waiting.findIndex(({ fault }) => fault.operation === undefined || fault.operation === operation);
      const order = waiting[index];
      if (order === undefined) return undefined;
      order.left -= 1;
      if (order.left === 0) waiting.splice(index, 1);
      return order.fault;
    },
    clear: () => {
      waiting.length = 0;
    },
  };
};

const sendFault = (reply: FastifyReply, fault: Fault): void => {
  const { status = 200, body } = fault;
  if (!('body' in fault)) send(reply, refuse(status, 'This answer was ordered as a fault.'));
  else if (typeof body === 'string') send(reply.type('text/plain; charset=utf-8'), { status, body });
  else send(reply.type('application/json; charset=utf-8'), { status, body: JSON.stringify(body) });
};

const cut = (reply: FastifyReply): void => {
  reply.hijack();
  reply.raw.socket?.destroy();
};

/** Answers a call as the fault orders; `respond` carries the call out. */
export const misbehave = async (fault: Fault, reply: FastifyReply, respond: () => Answer): Promise<void> => {
  // Unreferenced, so that a bank that was closed in the meantime does not keep its process waiting.
  if (fault.latencyMs !== undefined) await setTimeout(fault.latencyMs, undefined, { ref: false });
  if (fault.cut === 'before') return cut(reply);
  if (answers(fault)) return sendFault(reply, fault);
  const answer = respond();
  return fault.cut === 'after' ? cut(reply) : send(reply, answer);
};
