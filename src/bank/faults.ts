import { setTimeout } from 'node:timers/promises';

import type { FastifyReply } from 'fastify';
import { z } from 'zod';

import { refuse, send, type Answer } from './answer.ts';
import { operationNames, type OperationName } from '../contract/operation-rows.ts';
import { objectMessage } from './validate.ts';

/** An injected fault: it replaces the answer of the next `count` calls of one operation, or of any. */
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
    (fault) => fault.latencyMs !== undefined || fault.cut !== undefined || hasAnswer(fault),
    'Must name latencyMs, status, cut or body.',
  )
  .refine((fault) => fault.cut === undefined || !hasAnswer(fault), 'Must not both cut and answer.');

export type Fault = z.output<typeof faultInput>;

/** Pending faults, first in, first out: those of one operation before those of any, which may last until a reset. */
export type Faults = ReturnType<typeof createFaults>;

const capacity = 1000;

/** A body of null or false is an answer too. */
const hasAnswer = (fault: { readonly status?: number | undefined }): boolean =>
  fault.status !== undefined || 'body' in fault;

export const createFaults = () => {
  let pending: { readonly fault: Fault; readonly scenario: string | undefined; remaining: number }[] = [];
  return {
    /** False where too many faults are pending. `scenario`: the switch of which it is a part. */
    add: (fault: Fault, scenario?: string): boolean => {
      if (pending.length >= capacity) return false;
      pending.push({ fault, scenario, remaining: fault.count });
      return true;
    },
    /** The first pending fault of the operation, with one of its calls used up. */
    take: (operation: OperationName | null): Fault | undefined => {
      const firstOf = (name: OperationName | null | undefined) => pending.find(({ fault }) => fault.operation === name);
      const entry = firstOf(operation) ?? firstOf(undefined);
      if (entry === undefined) return undefined;
      entry.remaining -= 1;
      if (entry.remaining === 0) pending.splice(pending.indexOf(entry), 1);
      return entry.fault;
    },
    list: () => pending.map(({ fault, scenario, remaining }) => ({ ...fault, scenario, remaining })),
    /** Removes what is left of a scenario. */
    disarm: (scenario: string): void => {
      pending = pending.filter((entry) => entry.scenario !== scenario);
    },
    clear: (): void => {
      pending = [];
    },
  };
};

const sendFault = (reply: FastifyReply, fault: Fault): void => {
  const { status = 200, body } = fault;
  if (!('body' in fault)) send(reply, refuse(status, 'This answer is an injected fault.'));
  else if (typeof body === 'string') send(reply.type('text/plain; charset=utf-8'), { status, body });
  else send(reply.type('application/json; charset=utf-8'), { status, body: JSON.stringify(body) });
};

const cut = (reply: FastifyReply): void => {
  reply.hijack();
  reply.raw.socket?.destroy();
};

/** Answers a call by a fault; `respond` executes the call where the fault does not replace it. */
export const injectFault = async (fault: Fault, reply: FastifyReply, respond: () => Answer): Promise<void> => {
  // Unreferenced: the timer must not keep the process of a closed bank alive.
  if (fault.latencyMs !== undefined) await setTimeout(fault.latencyMs, undefined, { ref: false });
  if (fault.cut === 'before') return cut(reply);
  if (hasAnswer(fault)) return sendFault(reply, fault);
  const answer = respond();
  return fault.cut === 'after' ? cut(reply) : send(reply, answer);
};
