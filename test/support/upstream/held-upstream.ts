import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { listenOnLoopback } from '../ports.ts';

/** A request whose answer the test holds back. */
export interface HeldRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  /** Answers with this JSON. */
  readonly release: (json: unknown) => void;
  /** How it ended: whether the whole answer could be handed over before the connection closed. */
  readonly ended: Promise<{ readonly answered: boolean }>;
}

/** A REST service that answers only when the test says so, and sees whether the caller still listens. */
export async function startHeldUpstream(): Promise<{
  readonly url: string;
  /** The next request, as soon as its body has arrived whole. */
  readonly next: () => Promise<HeldRequest>;
}> {
  const arrived: HeldRequest[] = [];
  const waiting: ((held: HeldRequest) => void)[] = [];
  const hold = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const ended = endOf(outgoing);
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const held: HeldRequest = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      body: Buffer.concat(chunks).toString('utf8'),
      release: (json) => {
        outgoing.writeHead(200, { 'content-type': 'application/json' });
        outgoing.end(JSON.stringify(json));
      },
      ended,
    };
    const receive = waiting.shift();
    if (receive === undefined) arrived.push(held);
    else receive(held);
  };
  const server = createServer((incoming, outgoing) => void hold(incoming, outgoing));
  const { url, close } = await listenOnLoopback(server);
  onTestFinished(close);
  return {
    url,
    next: () => {
      const held = arrived.shift();
      return held === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(held);
    },
  };
}

function endOf(outgoing: ServerResponse): HeldRequest['ended'] {
  return new Promise((resolve) => {
    outgoing.once('close', () => resolve({ answered: outgoing.writableFinished }));
  });
}
