/** A service in a process of its own that answers every read with a page of a hundred records: prints its address. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const latencyMs = 5;
const data = Array.from({ length: 100 }, (_, index) => ({
  id: `c${index}`,
  reference: `reference-${index}`,
  first_name: 'Ada',
  last_name: 'Test',
  email: 'ada@example.com',
  created_at: '2026-01-01 00:00:00',
}));
const page = JSON.stringify({
  success: true,
  data: { current_page: 1, per_page: 100, total: 100, last_page: 1, data },
});
const server = createServer((incoming, outgoing) => {
  incoming.resume();
  setTimeout(() => {
    outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': page.length });
    outgoing.end(page);
  }, latencyMs);
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`http://127.0.0.1:${port}\n`);
});
