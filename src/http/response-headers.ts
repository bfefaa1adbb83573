/** What keeps a browser from doing more with an answer than reading it. TLS and its header are the proxy's in front. */
const secure = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

/** The Sandbox page, in development, brings scripts and a frame of Apollo's; it is still in nobody's frame. */
const securePage = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'content-security-policy': "frame-ancestors 'none'",
};

export interface AnswerHeaders {
  readonly requestId: string;
  /** The request headers that the answer hangs on. */
  readonly vary: string;
  readonly contentType: unknown;
}

/** On every answer: where to find it in the log, that no cache may keep it for anybody else, and what browsers may do. */
export function answerHeaders({ requestId, vary, contentType }: AnswerHeaders): Readonly<Record<string, string>> {
  const isPage = typeof contentType === 'string' && contentType.startsWith('text/html');
  return { ...(isPage ? securePage : secure), 'x-request-id': requestId, 'cache-control': 'private, no-store', vary };
}
