import { createServer } from 'node:http';
import { onTestFinished } from 'vitest';
import { listenOnLoopback } from '../../support/ports.ts';

type Attributes = Readonly<Record<string, string | number>>;

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  readonly attributes: Attributes;
  /** Of the process that sent it. */
  readonly resource: Attributes;
  /** 2 is an error. */
  readonly status: number;
}

export interface Collector {
  readonly url: string;
  /** Every body as it came, and the spans in all of them. */
  readonly bodies: readonly Buffer[];
  readonly spans: () => readonly Span[];
}

/** Stands in for an OpenTelemetry collector: takes OTLP over HTTP at /v1/traces, never answers at /silent, is busy at /busy. */
export async function startCollector(): Promise<Collector> {
  const bodies: Buffer[] = [];
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const isTraces = incoming.url === '/v1/traces' && incoming.headers['content-type'] === 'application/x-protobuf';
      if (isTraces) bodies.push(Buffer.concat(chunks));
      if (incoming.url === '/silent') return;
      if (incoming.url === '/busy') outgoing.writeHead(429, { 'retry-after': '60' }).end();
      else outgoing.writeHead(isTraces ? 200 : 404).end();
    });
  });
  const { url, close } = await listenOnLoopback(server);
  onTestFinished(close);
  return { url, bodies, spans: () => bodies.flatMap(readSpans) };
}

/** ExportTraceServiceRequest → ResourceSpans (1) → ScopeSpans (2) → Span (2). */
function readSpans(body: Buffer): readonly Span[] {
  const resources = (read(body).get(1) ?? []).map((resource) => read(asBytes(resource)));
  return resources.flatMap((fields) => {
    const resource = toAttributes(read(asBytes(fields.get(1)?.[0])).get(1));
    const spans = (fields.get(2) ?? []).flatMap((scope) => read(asBytes(scope)).get(2) ?? []);
    return spans.map((span) => ({ ...toSpan(read(asBytes(span))), resource }));
  });
}

function toAttributes(fields: readonly (Buffer | bigint)[] = []): Attributes {
  const attributes = fields.map((attribute) => {
    const [key, value] = [read(asBytes(attribute)).get(1)?.[0], read(asBytes(read(asBytes(attribute)).get(2)?.[0]))];
    const text = value.get(1)?.[0];
    return [
      asBytes(key).toString(),
      text === undefined ? Number(value.get(3)?.[0]) : asBytes(text).toString(),
    ] as const;
  });
  return Object.fromEntries(attributes);
}

function toSpan(fields: Fields): Omit<Span, 'resource'> {
  const bytes = (field: number): Buffer => asBytes(fields.get(field)?.[0]);
  return {
    traceId: bytes(1).toString('hex'),
    spanId: bytes(2).toString('hex'),
    parentSpanId: bytes(4).toString('hex'),
    name: bytes(5).toString(),
    attributes: toAttributes(fields.get(9)),
    status: Number(read(bytes(15)).get(3)?.[0] ?? 0),
  };
}

type Fields = ReadonlyMap<number, readonly (Buffer | bigint)[]>;

function asBytes(value: Buffer | bigint | undefined): Buffer {
  return typeof value === 'object' ? value : Buffer.alloc(0);
}

/** The fields of a protobuf message by number: varints as numbers, everything else as bytes. */
function read(message: Buffer): Fields {
  const fields = new Map<number, (Buffer | bigint)[]>();
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at++] ?? 0;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const take = (length: number): Buffer => message.subarray(at, (at += length));
  while (at < message.length) {
    const tag = Number(varint());
    const kind = tag & 7;
    const value = kind === 0 ? varint() : take(kind === 1 ? 8 : kind === 5 ? 4 : Number(varint()));
    fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), value]);
  }
  return fields;
}
