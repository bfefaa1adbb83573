import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/folder.ts';
import { freePort } from '../../support/ports.ts';
import { startCommand } from '../../support/process.ts';

/** Nothing is sent twice and to nobody else: a request that meets a stopping process fails. */
const configuration = (port: string, statsPort: string, servers: readonly string[]): string => `
defaults
  mode http
  timeout connect 2s
  timeout client 30s
  timeout server 30s
  retries 0
  no option redispatch
frontend gateway
  bind 127.0.0.1:${port}
  default_backend replicas
backend replicas
  balance roundrobin
  option httpchk GET /health/ready
  default-server check inter 200ms fall 2 rise 1
${servers.map((server, index) => `  server replica${index} ${server.replace('http://', '')}\n`).join('')}
listen stats
  bind 127.0.0.1:${statsPort}
  stats enable
  stats uri /
`;

export interface Balancer {
  readonly url: string;
  /** How many servers it believes to be ready. */
  readonly serversUp: () => Promise<number>;
}

/** A balancer in front of those servers. */
export async function startHaproxy(servers: readonly string[]): Promise<Balancer> {
  const folder = await temporaryFolder();
  const [port, statsPort] = [await freePort(), await freePort()];
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, configuration(port, statsPort, servers));
  startCommand('haproxy', ['-f', file, '-db']);
  const serversUp = async (): Promise<number> => {
    const table = await fetch(`http://127.0.0.1:${statsPort}/;csv`).then((answer) => answer.text(), String);
    return table.match(/^replicas,replica\d.*,UP,/gm)?.length ?? 0;
  };
  return { url: `http://127.0.0.1:${port}`, serversUp };
}
