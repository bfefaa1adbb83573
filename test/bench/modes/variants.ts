import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { rewriteAnswers } from '../files.ts';
import { banks, everythingOf, type Question } from '../questions.ts';
import { printTable } from '../report.ts';
import { startGateway, type GatewayOptions } from '../services.ts';
import { startSecureUpstream, startUpstream, type Upstream } from '../upstream.ts';
import { measureQuestions } from './comparison.ts';
import { selectNamed, type Bench } from './mode.ts';

type Setting = Omit<GatewayOptions, 'folder'>;

interface Prepared {
  /** Counts the calls of both gateways. */
  readonly upstream: Upstream;
  readonly plain: Setting;
  readonly varied: Setting;
}

interface Variant {
  readonly name: string;
  readonly prepare: (folder: string) => Promise<Prepared>;
}

/** Answers with the same meaning in another form. */
function answersAs(name: string, rewrite: (answer: string) => string, environment = {}): Variant {
  const prepare = async (folder: string): Promise<Prepared> => {
    const own = join(folder, name.replaceAll(/\W/g, '-'));
    await rewriteAnswers(join(folder, 'answers'), join(own, 'answers'), rewrite);
    const [bank, other] = [await startUpstream(folder), await startUpstream(own)];
    const calls = async (): Promise<number> => (await bank.calls()) + (await other.calls());
    return {
      upstream: { ...bank, calls },
      plain: { upstream: bank.url },
      varied: { upstream: other.url, environment },
    };
  };
  return { name, prepare };
}

async function prepareTraces(folder: string): Promise<Prepared> {
  const collector = createServer((incoming, outgoing) => void incoming.resume().once('end', () => outgoing.end()));
  collector.listen(0, '127.0.0.1').unref();
  await once(collector, 'listening');
  const { port } = collector.address() as AddressInfo; // a server on a port
  const upstream = await startUpstream(folder);
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` };
  return { upstream, plain: { upstream: upstream.url }, varied: { upstream: upstream.url, environment } };
}

async function prepareTls(folder: string): Promise<Prepared> {
  const upstream = await startSecureUpstream(folder, 0);
  const { authority, secureUrl } = upstream;
  return { upstream, plain: { upstream: upstream.url }, varied: { upstream: secureUrl, authority } };
}

async function prepareHeaders(folder: string): Promise<Prepared> {
  const upstream = await startUpstream(folder);
  const headers = Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [`x-forwarded-detail-${index}`, `value-${index}`.repeat(4)]),
  );
  return { upstream, plain: { upstream: upstream.url }, varied: { upstream: upstream.url, headers } };
}

const inMinorUnits = (answer: string): string =>
  answer.replaceAll(/"(amount|balance|available_balance)":"(-?\d+)\.(\d\d)"/g, '"$1":$2$3');

const variants: readonly Variant[] = [
  answersAs('moments with microseconds', (answer) => answer.replaceAll(/(T[\d:]{8})\.(\d{3})Z/g, '$1.$2000Z')),
  answersAs('references of 30 digits', (answer) =>
    answer.replaceAll(/("reference":")/g, `$1${'0123456789'.repeat(3)}`),
  ),
  answersAs('amounts as numbers in minor units', inMinorUnits, { UPSTREAM_MONEY_UNIT: 'minor' }),
  answersAs('indented answers', (answer) => JSON.stringify(JSON.parse(answer), undefined, 2)),
  { name: 'traces of every request', prepare: prepareTraces },
  { name: 'https to the service', prepare: prepareTls },
  { name: '30 more headers from the client', prepare: prepareHeaders },
];

/** The least calls beside records, and the most of both. */
const questions: readonly Question[] = [banks, everythingOf(50)];

const titles = [
  'variant, question',
  'calls',
  'varied: CPU µs, requests/s, p50, p99',
  'plain: CPU µs, requests/s, p50, p99',
  'CPU ratio (lowest–highest)',
  '… of each pair of processes',
];

/** CPU per request of the gateway under what `comparison` does not have, beside the gateway without it. */
export async function runVariants(bench: Bench): Promise<void> {
  const { folder, options } = bench;
  const rows: (readonly string[])[] = [];
  for (const { name, prepare } of selectNamed(variants, options.only)) {
    const { upstream, plain, varied } = await prepare(folder);
    const start = async () => ({
      ours: await startGateway({ folder, ...varied }),
      theirs: await startGateway({ folder, ...plain }),
    });
    const measured = await measureQuestions(bench, upstream, questions, start);
    rows.push(...measured.map(([question, ...figures]) => [`${name}: ${question}`, ...figures]));
  }
  printTable(titles, rows);
}
