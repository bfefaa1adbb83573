import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request whose answer the test holds back. */
export interface HeldRequest {
  readonly method: string;
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
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
