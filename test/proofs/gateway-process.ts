import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../support/ports.ts';
import { startCommand, type RunningCommand } from '../support/process.ts';
import { readSamples, valueOf } from '../support/samples.ts';

/** A gateway as it is deployed: a process of its own, in production mode, with a port for its operators. */
export interface GatewayProcess {
  readonly url: string;
  readonly command: RunningCommand;
  readonly isReady: () => Promise<boolean>;
  readonly metrics: () => Promise<string>;
  readonly residentMiB: () => Promise<number>;
}

const production = { NODE_ENV: 'production', UPSTREAM_MONEY_UNIT: 'major', UPSTREAM_CURRENCY: 'NGN' };

/**
 * Starts one in front of the service and waits until it is ready; it ends with the test. A launcher is a program, with its
 * arguments, that is given the command.
 */
export async function startGatewayProcess(
  upstream: string,
  environment: Readonly<Record<string, string>> = {},
  nodeOptions: readonly string[] = [],
  launcher: readonly string[] = [],
): Promise<GatewayProcess> {
  const adminPort = await freePort();
  const [program, ...args] = [...launcher, 'node', ...nodeOptions, 'src/cli.ts', 'serve'];
  const command = startCommand(program, args, {
    environment: { ...production, UPSTREAM_URL: upstream, ADMIN_PORT: adminPort, ...environment },
  });
  const [, url = ''] = await command.printed(/"url":"(http:[^"]+)\/graphql"/);
  const ask = (path: string) => fetch(`http://127.0.0.1:${adminPort}${path}`);
  const isReady = async (): Promise<boolean> => {
    const answer = await ask('/health/ready').catch(() => undefined);
    await answer?.text();
    return answer?.status === 200;
  };
  while (!(await isReady())) await delay(10);
  const metrics = async (): Promise<string> => (await ask('/metrics')).text();
  const residentMiB = async (): Promise<number> =>
    Math.round(valueOf(readSamples(await metrics()), 'process_resident_memory_bytes') / 2 ** 20);
  return { url, command, isReady, metrics, residentMiB };
}

/** As a balancer does: looks five times a second, and believes the second refusal. */
export async function seenNotReady({ isReady }: GatewayProcess): Promise<void> {
  for (let refusals = 0; refusals < 2; refusals = (await isReady()) ? 0 : refusals + 1) await delay(200);
}
