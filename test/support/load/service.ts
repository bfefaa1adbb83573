/**
 * A service in a process of its own that answers every read with a page of up to a hundred records: prints its address.
 * `node service.ts 20` takes 20 ms for each call.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const latencyMs = Number(process.argv[2] ?? 5);
const data = Array.from({ length: 100 }, (_, index) => ({
  id: `c${index}`,
  reference: `reference-${index}`,
  first_name: 'Ada',
  last_name: 'Test',
  email: 'ada@example.com',
  created_at: '2026-01-01 00:00:00',
}));
const pages = data.map((_, index) => {
  const size = index + 1;
  const page = { current_page: 1, per_page: size, total: data.length, last_page: Math.ceil(data.length / size) };
  return JSON.stringify({ success: true, data: { ...page, data: data.slice(0, size) } });
});
const server = createServer((incoming, outgoing) => {
  incoming.resume();
  const size = Number(new URL(incoming.url ?? '/', 'http://service').searchParams.get('per_page') ?? data.length);
  const page = pages[size - 1] ?? '';
  setTimeout(() => {
    outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': page.length });
    outgoing.end(page);
  }, latencyMs);
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`http://127.0.0.1:${port}\n`);
});
