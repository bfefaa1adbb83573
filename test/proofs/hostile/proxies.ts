import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { temporaryFolder } from '../../support/folder.ts';
import { freeUrl } from '../../support/ports.ts';
import { startCommand } from '../../support/process.ts';

/** Starts a proxy of /usr/sbin by a configuration in a file of its folder; resolves with its URL once it answers. */
export async function startProxy(
  program: string,
  args: (file: string, folder: string) => readonly string[],
  configure: (host: string, folder: string) => string,
): Promise<string> {
  const [folder, url] = [await temporaryFolder(), await freeUrl()];
  const file = join(folder, 'proxy.conf');
  await writeFile(file, configure(new URL(url).host, folder));
  startCommand(program, args(file, folder), { environment: { PATH: `${process.env['PATH']}:/usr/sbin` } });
  await expect.poll(() => fetch(url).then(Boolean, () => false)).toBe(true);
  return url;
}

/** nginx with these lines inside its `http`, of a folder where it keeps all its files. */
export function startNginx(http: (host: string, folder: string) => string): Promise<string> {
  const temporary = (folder: string) =>
    ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${folder}/${name};`)
      .join(' ');
  return startProxy(
    'nginx',
    (file, folder) => ['-p', folder, '-c', file, '-e', join(folder, 'error.log')],
    (host, folder) => `
daemon off; master_process off; pid ${folder}/nginx.pid; error_log ${folder}/error.log; events {}
http { access_log off; ${temporary(folder)} ${http(host, folder)} }
`,
  );
}
