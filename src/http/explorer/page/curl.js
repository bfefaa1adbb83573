/** A quote ends the shell's text, stands escaped, and begins it again. */
const quoted = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** A call as a command that runs as it is pasted. Variables of the shell stand for secrets and keys. */
export function toCurl({ operation, method, request: { path, body }, key }, service) {
  const { url, privateKeyHeader, credentials, mediaType, headers, idempotencyHeader } = service;
  const secrets = { privateKey: `${privateKeyHeader}: $SVCPRIVATEKEY`, bearer: 'Authorization: Bearer $TOKEN' };
  const plain = [['accept', mediaType], ...headers, ...(body === undefined ? [] : [['content-type', mediaType]])];
  return [
    `curl -g -X ${method} ${quoted(url + path)}`,
    ...plain.map((header) => `-H ${quoted(header.join(': '))}`),
    ...(credentials[operation] ?? []).map((name) => `-H "${secrets[name]}"`),
    ...(key && idempotencyHeader ? [`-H "${idempotencyHeader}: $IDEMPOTENCY_KEY"`] : []),
    ...(body === undefined ? [] : [`--data-raw ${quoted(body)}`]),
  ].join(' ');
}
