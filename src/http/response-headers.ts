/** Security headers of API answers. TLS and its header are left to the proxy in front. */
const apiHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

/** The Sandbox page, in development, loads scripts and a frame from Apollo; no page may frame it. */
const pageHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'content-security-policy': "frame-ancestors 'none'",
};

interface ResponseInfo {
  readonly requestId: string;
  readonly vary: string;
  readonly contentType?: unknown;
  /** A content-security policy of the page's own. */
  readonly policy?: unknown;
}

/** The headers of every answer: request id, no shared caching, security. */
export function toResponseHeaders({
  requestId,
  vary,
  contentType,
  policy,
}: ResponseInfo): Readonly<Record<string, string>> {
  const isPage = typeof contentType === 'string' && contentType.startsWith('text/html');
  return {
    ...(isPage ? pageHeaders : apiHeaders),
    ...(typeof policy === 'string' && { 'content-security-policy': policy }),
    'x-request-id': requestId,
    'cache-control': 'private, no-store',
    vary,
  };
}
