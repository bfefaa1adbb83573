import { readFileSync, readlinkSync } from 'node:fs';
import { connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';

/** Time limit for finding the queue empty but for our own connection, while new connections keep arriving. */
const tryingMs = 2_000;
/** Time after which a client has repeated what it sent while the queue was full. */
const resendMs = 250;
/** The usual length of the queue: Node's default. */
const usualLength = 511;

/** Node's internal handle of a server or a socket. It is not documented, so each part may be missing. */
interface Handle {
  readonly fd?: number;
  /** Called again, changes the length of the queue of a socket that listens. */
  readonly listen?: (backlog: number) => number;
  /** 0 once a connection is established, which events tell only a turn of the event loop later. */
  readonly getpeername?: (out: object) => number;
}

/**
 * Closing a listening socket resets the connections in its queue, whether or not another process shares the port. So
 * `close` is called when no client's connection can be in the queue: it is shortened to one place, and a connection
 * of our own has taken that. The kernel does not answer new clients meanwhile; when they try again, the port is closed, or
 * another process has it. Handshakes that have begun are completed first. Only Linux shows which connections wait:
 * elsewhere `close` is called as soon as our own connection is established.
 */
export async function whenNoneWaits(server: Server, close: () => void): Promise<void> {
  const address = server.address();
  const handle = handleOf(server);
  if (address === null || typeof address === 'string') return close();
  const end = performance.now() + tryingMs;
  for (;;) {
    handle.listen?.(0);
    const probe = connectToSelf(address);
    // Node has made the system call by then, and on one machine the connection is established when that returns.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    const waiting = isEstablished(probe) ? readWaiting(handle, address.port, probe.localPort ?? 0) : 'others';
    const isLast = waiting === 'our own' || performance.now() > end;
    if (isLast) close();
    probe.destroy();
    if (isLast) return;
    if (waiting === 'half-way') {
      handle.listen?.(usualLength);
      await delay(resendMs);
    } else await nextTurn();
  }
}

const handleOf = (of: Server | Socket): Handle => Reflect.get(of, '_handle') ?? {};

const isEstablished = (socket: Socket): boolean => handleOf(socket).getpeername?.({}) === 0;

function connectToSelf({ address, port }: AddressInfo): Socket {
  const host = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '::1' : address;
  // Closing resets it, not a client's connection.
  return connect({ host, port }).on('error', () => {});
}

/**
 * Which connections wait for this process, by the kernel's tables of connections (one per IP version). A row has the
 * local address, the remote one, the state (0A listens, 03 is half-way, 01 is established), the length of the queue after
 * a colon, and at the end the inode, which is 0 while nobody has accepted the connection. Where processes share the port,
 * the row of our connection does not show in whose queue it is: it is in ours if that holds one, and no other connection
 * waits anywhere.
 */
function readWaiting({ fd }: Handle, port: number, ownPort: number): 'our own' | 'half-way' | 'others' {
  const [local, remote] = [inTable(port), inTable(ownPort)];
  try {
    const inode = /\d+/.exec(readlinkSync(`/proc/self/fd/${fd}`))?.[0];
    let queued = 0;
    let isOwnFound = false;
    for (const row of ['tcp', 'tcp6'].flatMap((table) => rowsOf(table, local))) {
      const [, , from = '', state, queues = '', , , , , rowInode] = row.trim().split(/\s+/);
      if (state === '03') return 'half-way';
      if (state === '0A' && rowInode === inode) queued = Number.parseInt(queues.split(':')[1] ?? '', 16);
      if (state !== '01' || rowInode !== '0') continue;
      if (!from.endsWith(remote)) return 'others';
      isOwnFound = true;
    }
    return isOwnFound && queued === 1 ? 'our own' : 'others';
  } catch {
    return 'our own';
  }
}

const inTable = (port: number): string => `:${port.toString(16).toUpperCase().padStart(4, '0')}`;

/** The rows of one table with the local port, found before they are split: a table can have tens of thousands. */
const rowsOf = (table: string, local: string): string[] =>
  readFileSync(`/proc/self/net/${table}`, 'latin1').match(new RegExp(`^ *\\d+: [\\dA-F]+${local} .*$`, 'gm')) ?? [];
