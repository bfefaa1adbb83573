import type { Config } from '../../config/config.ts';
import type { Contract, OperationName } from '../../contract/contract.ts';
import { isWrite } from '../../contract/operation-rows.ts';
import { constantHeaders, mediaTypes } from '../../upstream/credentials/request-headers.ts';
import type { UpstreamRequest } from '../../upstream/operation.ts';

/** A quote ends the shell's text, stands escaped, and begins it again. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Writes calls as commands that run as they are pasted. Variables of the shell stand for secrets and keys. */
export function createCurl({ privateKeyHeader }: Config, contract: Contract, upstream: URL) {
  const bearer = `Authorization: ${contract['service.bearerScheme']} $TOKEN`;
  const secrets = { privateKey: `${privateKeyHeader}: $SVCPRIVATEKEY`, bearer };
  const { accept, contentType } = mediaTypes(contract);
  const constants = [['accept', accept], ...constantHeaders(contract, ['authorization', privateKeyHeader])];
  const idempotencyHeader = contract['writes.idempotencyHeader'];
  return (operation: OperationName, { method, path, body }: UpstreamRequest): string =>
    [
      `curl -g -X ${method} ${quoted(upstream.href.replace(/\/$/, '') + path)}`,
      ...constants.map((header) => `-H ${quoted(header.join(': '))}`),
      ...contract[`${operation}.credentials`].map((name) => `-H "${secrets[name]}"`),
      ...(isWrite(operation) && idempotencyHeader !== null ? [`-H "${idempotencyHeader}: $IDEMPOTENCY_KEY"`] : []),
      ...(body === undefined ? [] : [`-H ${quoted(`content-type: ${contentType}`)} --data-raw ${quoted(body)}`]),
    ].join(' ');
}
