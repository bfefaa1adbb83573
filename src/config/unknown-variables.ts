import { nearestName } from '../runtime/nearest-name.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Prefixes of our names that no platform uses for its own variables, unlike LOG_ or HTTP_. */
const ownPrefix =
  /^(?:ADMIN|ALLOW|ALLOWED|BANK|BEARER|CHECK|DRAIN|FINGERPRINT|IDEMPOTENCY|MAX|PRIVATE_KEY|REQUEST|REUSE|ROUTER|TRUSTED|TYPE_PREFIX|UPSTREAM)_/;
/** Kubernetes describes every Service of a namespace so: `BANK_SERVICE_HOST`, `BANK_PORT_80_TCP_ADDR`. */
const serviceLink = /_SERVICE_(?:HOST|PORT(?:_\w+)?)$|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:ADDR|PORT|PROTO))?$/;

/** Whether a variable describes a Service of Kubernetes: `BANK_PORT=tcp://10.0.0.1:80` is no port of ours. */
export function isServiceLink(name: string, value: string): boolean {
  return serviceLink.test(name) || (name.endsWith('_PORT') && /^(?:tcp|udp|sctp):\/\//.test(value));
}

/** Prefixes of Node and OpenTelemetry, and the variables of proxies for other protocols. */
const foreignName = /^(?:NODE|OTEL)_|_PROXY$/;

/**
 * Faults of unknown variables that are most likely meant for this program: they begin like one of its own, or differ from
 * one by a single typing error. Without this check a misspelt ROUTER_SECRET would protect nothing, without a sign. An
 * empty variable counts as absent, unless it is most likely one of the guards.
 */
export function findUnknownVariables(
  environment: Environment,
  ourNames: readonly string[],
  guards: ReadonlySet<string>,
): readonly string[] {
  return Object.entries(environment).flatMap(([name, value = '']) => {
    if (ourNames.includes(name) || isServiceLink(name, value) || isForeign(name, ourNames)) return [];
    const upper = name.toUpperCase();
    const [prefix = ''] = ownPrefix.exec(upper) ?? [];
    const relatives = ourNames.filter((candidate) => candidate.startsWith(prefix));
    const nearest = nearestName(upper, relatives.length > 0 ? relatives : ourNames);
    if (nearest.distance > 1 && prefix === '') return [];
    if (value === '' && (nearest.distance > 1 || !guards.has(nearest.name))) return [];
    return [`${name}: is not a variable of settlement-graph; did you mean ${nearest.name}?`];
  });
}

/**
 * Whether a name is one that other programs use. A name in lower or mixed case is, unless it equals or begins like one of
 * ours: scripts and Makefiles have a `sort` and a `cost`, and a `host` and a `port` of their own, too.
 */
function isForeign(name: string, ourNames: readonly string[]): boolean {
  const upper = name.toUpperCase();
  if (ourNames.includes(upper)) return /^(?:HOST|PORT)$/.test(upper);
  return foreignName.test(upper) || (name !== upper && !ownPrefix.test(upper));
}
