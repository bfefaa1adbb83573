import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/folder.ts';
import { freePort } from '../../support/ports.ts';
import { startCommand } from '../../support/process.ts';

/** A forward proxy that allows CONNECT to this port alone; `tunnels` counts those that it was asked for. */
export async function startTinyproxy(allowedPort: string) {
  const folder = await temporaryFolder();
  const port = await freePort();
  const file = join(folder, 'tinyproxy.conf');
  await writeFile(file, `Port ${port}\nListen 127.0.0.1\nLogLevel Connect\nConnectPort ${allowedPort}\n`);
  const command = startCommand('tinyproxy', ['-d', '-c', file]);
  await command.printed(/Reloading config file finished/);
  return {
    url: `http://127.0.0.1:${port}`,
    tunnels: () => command.output().match(/Request \(file descriptor \d+\): CONNECT /g)?.length ?? 0,
  };
}
