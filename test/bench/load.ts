import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Pool } from 'undici';
import { endWithThis, isInstalled } from './programs.ts';

/** One request, sent again and again. */
export interface Target {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Load {
  readonly connections: number;
  readonly seconds: number;
}

export interface Outcome {
  readonly requests: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
}

export type SendLoad = (target: Target, load: Load) => Promise<Outcome>;

/** wrk, which takes little of the machine; where it is absent, undici in this process, which takes a good part of it. */
export function createLoad(folder: string): { readonly program: string; readonly send: SendLoad } {
  if (isInstalled('wrk')) return { program: 'wrk', send: (target, load) => sendByWrk(folder, target, load) };
  return { program: 'undici in the process of the benchmark, since there is no wrk', send: sendByUndici };
}

const script = ({ method, headers, body }: Target) => `
wrk.method = ${JSON.stringify(method)}
wrk.body = [==[${body}]==]
${Object.entries(headers)
  .map(([name, value]) => `wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`)
  .join('\n')}
function done(summary, latency, requests)
  local e = summary.errors
  local failed = e.connect + e.read + e.write + e.status + e.timeout
  io.write(string.format("SUMMARY %d %d %d %d %d %d\\n", summary.requests, summary.duration, failed,
    latency:percentile(50), latency:percentile(95), latency:percentile(99)))
end
`;

async function sendByWrk(folder: string, target: Target, { connections, seconds }: Load): Promise<Outcome> {
  const file = join(folder, 'load.lua');
  writeFileSync(file, script(target));
  const options = ['-t', '1', '-c', String(connections), '-d', `${seconds}s`, '--timeout', '30s', '-s', file];
  const running = promisify(execFile)('wrk', [...options, target.url]);
  endWithThis(running.child);
  const { stdout } = await running;
  const numbers = /^SUMMARY (.*)$/m.exec(stdout)?.[1]?.split(' ').map(Number) ?? [];
  const [requests = 0, durationUs = 0, failed = 0, p50 = 0, p95 = 0, p99 = 0] = numbers;
  if (requests === 0 || failed > 0) throw new Error(`the load failed:\n${stdout}`);
  return { requests, seconds: durationUs / 1e6, p50Ms: p50 / 1e3, p95Ms: p95 / 1e3, p99Ms: p99 / 1e3 };
}

/** Takes nothing but 200. */
async function sendByUndici({ url, method, headers, body }: Target, load: Load): Promise<Outcome> {
  const { origin, pathname, search } = new URL(url);
  const pool = new Pool(origin, { connections: load.connections });
  const send = async (): Promise<void> => {
    const answer = await pool.request({ method, headers, path: pathname + search, body: body === '' ? null : body });
    await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`the load failed: ${answer.statusCode}`);
  };
  const outcome = await repeat(send, load);
  await pool.close();
  return outcome;
}

/** Sends again and again, on each connection as soon as it is answered. */
export async function repeat(send: () => Promise<void>, { connections, seconds }: Load): Promise<Outcome> {
  const durations: number[] = [];
  const begunAt = performance.now();
  const sendInTurn = async (): Promise<void> => {
    while (performance.now() - begunAt < seconds * 1000) {
      const sentAt = performance.now();
      await send();
      durations.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: connections }, sendInTurn));
  const lasted = (performance.now() - begunAt) / 1000;
  const sorted = durations.toSorted((left, right) => left - right);
  const percentile = (part: number): number => sorted[Math.floor(sorted.length * part)] ?? 0;
  const [p50Ms, p95Ms, p99Ms] = [percentile(0.5), percentile(0.95), percentile(0.99)];
  return { requests: durations.length, seconds: lasted, p50Ms, p95Ms, p99Ms };
}
