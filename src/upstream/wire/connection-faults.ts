/** Reasons for a failed connection that last until a setting, a certificate or a name is corrected. */
export type ConnectionFault = keyof typeof connectionFaults;

/** The log's explanation of each fault. */
export const connectionFaults = {
  certificate_expired: 'the certificate of the payments service has expired or is not valid yet',
  certificate_host: 'the certificate of the payments service is for another host than that of UPSTREAM_URL',
  certificate_untrusted:
    'the certificate of the payments service is not trusted: its key or signature is weak, it is revoked or for another purpose, or no authority that Node.js trusts has signed it (set NODE_EXTRA_CA_CERTS to a file of others)',
  host_unknown: 'the host of UPSTREAM_URL does not resolve',
  no_tls: 'the port of UPSTREAM_URL does not speak TLS',
  proxy_refused: 'the proxy refuses to connect to the payments service',
  proxy_unusable: 'the host of the proxy does not resolve, or its certificate or TLS is not accepted',
  tls_refused: 'TLS with the payments service fails: a version, a cipher or a client certificate that it requires',
} as const;

/**
 * Faults by Node's code, or by OpenSSL's message where that code is EPROTO. UNSPECIFIED is Node's code for what has none of
 * its own, such as a weak key; two of the TLS alerts may pass.
 */
const faults: readonly (readonly [RegExp, ConnectionFault])[] = [
  [/^CERT_(?:HAS_EXPIRED|NOT_YET_VALID)$/, 'certificate_expired'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'certificate_host'],
  [/^(?:CERT_|INVALID_|UNABLE_TO_|UNSPECIFIED$)|SELF_SIGNED_CERT/, 'certificate_untrusted'],
  [/^ENOTFOUND$/, 'host_unknown'],
  [/^UND_ERR_PRX_TLS$/, 'proxy_unusable'],
  [/WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG/, 'no_tls'],
  [
    /_ALERT_(?!INTERNAL_ERROR|BAD_RECORD_MAC)|UNSUPPORTED_PROTOCOL|_TOO_SMALL|_TOO_WEAK|UNSAFE_LEGACY_RENEGOTIATION|NO_CIPHERS/,
    'tls_refused',
  ],
];

const proxyErrors = new WeakSet<Error>();
/** Errors of a proxy that closes a connection or does not answer CONNECT, the only request with undici's header time limit. */
const proxyCodes: ReadonlySet<unknown> = new Set(['UND_ERR_PRX_CONN', 'UND_ERR_PRX_TLS', 'UND_ERR_HEADERS_TIMEOUT']);

/** Marks an error of the connection to the proxy, so that its fault is not taken for one of the service. */
export function markProxyError(error: Error): void {
  proxyErrors.add(error);
}

/** The proxy's part in an error: the status with which it refused, or `failed`; undefined where it has none. */
export function proxyPartIn(error: Error): number | 'failed' | undefined {
  const hasFailed = proxyErrors.has(error) || ('code' in error && proxyCodes.has(error.code));
  return proxyStatusIn(error) ?? (hasFailed ? 'failed' : undefined);
}

/** undici words a refusal of the proxy in a sentence alone. */
function proxyStatusIn({ message }: Error): number | undefined {
  const [, status] = /^Proxy response \((\d{3})\) !== 200/.exec(message) ?? [];
  return status === undefined ? undefined : Number(status);
}

/** The fault behind the error of a connection; undefined for one that may pass by itself. */
export function connectionFaultOf(error: unknown): ConnectionFault | undefined {
  if (!(error instanceof Error)) return undefined;
  const proxyStatus = proxyStatusIn(error) ?? 0;
  // A 5xx, 408 or 429 may pass.
  if (proxyStatus >= 400 && proxyStatus < 500 && proxyStatus !== 408 && proxyStatus !== 429) return 'proxy_refused';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const reason = code === 'EPROTO' ? error.message.toUpperCase().replaceAll(' ', '_') : code;
  const fault = faults.find(([pattern]) => pattern.test(reason))?.[1];
  return fault !== undefined && proxyErrors.has(error) ? 'proxy_unusable' : fault;
}

export function isConnectionFault(reason: string): reason is ConnectionFault {
  return Object.hasOwn(connectionFaults, reason);
}
