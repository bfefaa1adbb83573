import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answered, freePort, isInstalled, start } from './programs.ts';

export interface Upstream {
  readonly url: string;
  readonly pid: number;
  /** Calls answered so far. */
  readonly calls: () => Promise<number>;
}

const hasNginx = isInstalled('nginx');
export const upstreamProgram = hasNginx ? 'nginx' : 'Node, since there is no nginx';

const configuration = (folder: string, port: number) => `
daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log ${folder}/nginx-error.log;
worker_rlimit_nofile 8192;
events { worker_connections 4096; }
http {
  access_log off;
  default_type application/json;
  keepalive_requests 1000000000;
  keepalive_timeout 1h;
  tcp_nodelay on;
  open_file_cache max=1000 inactive=1h;
  open_file_cache_valid 1h;
  client_body_temp_path ${folder}/nginx-temporary;
  proxy_temp_path ${folder}/nginx-temporary;
  fastcgi_temp_path ${folder}/nginx-temporary;
  uwsgi_temp_path ${folder}/nginx-temporary;
  scgi_temp_path ${folder}/nginx-temporary;
  server {
    listen 127.0.0.1:${port};
    location = /calls { stub_status; }
    location /api/ {
      root ${folder}/answers;
      try_files $uri.$arg_page.$arg_per_page.json =404;
    }
  }
}
`;

/** nginx over the files, or Node where there is no nginx; `delayMs`, which nginx cannot do, is Node's too. */
export async function startUpstream(folder: string, delayMs = 0): Promise<Upstream> {
  const port = await freePort();
  const output = join(folder, 'upstream.log');
  const pid = hasNginx && delayMs === 0 ? startNginx(folder, port, output) : startNode(folder, port, delayMs, output);
  return whenAnswered(port, pid);
}

async function whenAnswered(port: number, pid: number): Promise<Upstream> {
  const url = `http://127.0.0.1:${port}`;
  await answered(() => fetch(`${url}/calls`));
  // Both count the question itself.
  let asked = 0;
  const calls = async (): Promise<number> => {
    asked += 1;
    const text = await (await fetch(`${url}/calls`)).text();
    const [, requests] = /^ \d+ \d+ (\d+)/m.exec(text) ?? [];
    return Number(requests) - asked;
  };
  return { url, pid, calls };
}

function startNginx(folder: string, port: number, output: string): number {
  const file = join(folder, `nginx-${port}.conf`);
  mkdirSync(join(folder, 'nginx-temporary'), { recursive: true });
  writeFileSync(file, configuration(folder, port));
  return start('nginx', ['-c', file, '-p', folder], { output });
}

function startNode(folder: string, port: number, delayMs: number, output: string): number {
  const program = join(import.meta.dirname, 'file-server.ts');
  return start(process.execPath, [program, join(folder, 'answers'), String(port), String(delayMs)], { output });
}
