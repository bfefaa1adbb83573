import { expect, it } from 'vitest';
import { startScripted } from '../support/gateway.ts';
import { sendRaw } from '../support/http.ts';
import { captureLog } from '../support/log.ts';
import { failure, success, type Reply } from '../support/upstream/upstream.ts';

/** Texts that must come out nowhere: made of letters that stand nowhere else. */
const canaries = Array.from({ length: 24 }, (_, at) => `canary${String.fromCharCode(97 + at).repeat(3 + at)}`);
const [token = '', key = '', nin = '', bvn = '', born = '', email = '', phone = '', cookie = '', ...more] = canaries;
const [trace = '', idempotency = '', host = '', frame = '', name = '', id = '', other = ''] = more;
const planted = canaries.join(' ');

const stack = `Error: ${frame}\n    at ${frame} (/srv/${frame}/app.js:1:1)`;
const html = `<html><h1>${planted}</h1><pre>${stack}</pre><a href="https://${host}.internal/">x</a></html>`;
const headers = { server: other, 'x-powered-by': other, via: `1.1 ${host}` };

/** A refusal's sentence reaches the client, but for what the client sent and where the service is. */
const sentence = `${token} ${key} ${email}@example.com ${name} https://${host}.internal/${frame}`;

/** Every position in which a service may put something that it should not tell. */
const replies: Readonly<Record<string, Reply>> = {
  'a page at 200': { text: html, headers },
  'a page at 502': { status: 502, text: html, headers },
  'a redirect': { status: 302, text: html, headers: { location: `https://${host}.internal/${token}` } },
  'a failure with a trace': { ...failure(500, planted, { stack }), headers },
  'a refusal of its own credentials': failure(401, `${planted} ${stack}`),
  'a limit of its rate': { ...failure(429, planted), headers: { 'retry-after': other } },
  'a missing record': failure(404, planted),
  'a failure inside 200': { json: { success: false, message: sentence, code: other } },
  'a refusal': { ...failure(422, sentence, { email: [sentence] }), headers },
  'a record of another shape': success([planted, { [other]: planted }]),
  'values of other types': success({ id: { [other]: planted }, first_name: [planted], balance: planted }),
  'unreadable values': success({ id: 'c1', first_name: { planted }, date_of_birth: planted, created_at: planted }),
  'a text that is not JSON': { text: `{"data": ${planted}`, headers: { 'content-type': 'application/json' } },
  'a body that is compressed': { text: planted, headers: { 'content-encoding': other } },
  'a cut connection': { cut: true },
};

const create = `mutation($input: CreateCustomerInput!) {
  createCustomer(input: $input) { customer { firstName createdAt } userErrors { code message } } }`;
/** Every position of a request that reaches the service in which a client may put what is nobody else's business. */
const documents: Readonly<Record<string, unknown>> = {
  'a read': {
    query: `{ ${name}: customer(id: "${id}") { firstName dateOfBirth createdAt balance { value { amount } } } }`,
  },
  'a create': {
    query: create,
    variables: { input: { nin, bvn, dateOfBirth: born, email, phone, firstName: name, lastName: other } },
  },
  'a create of sound values': {
    query: create,
    variables: { input: { email: `${email}@example.com`, firstName: name, reference: id, type: other } },
  },
};

/** The same of requests that are refused before, whatever the service would answer. */
const refused: Readonly<Record<string, unknown>> = {
  'a list with a cursor': { query: `{ customers(after: "${other}") { nodes { id } } }` },
  'a search': { query: `{ customers(search: "${other}") { nodes { id } } }` },
  'a variable of another type': {
    query: 'query($id: ID!) { customer(id: $id) { type } }',
    variables: { id: { planted } },
  },
  'an unknown input field': { query: create, variables: { input: { [other]: planted } } },
  'a literal in the wrong place': { query: `{ customers(first: "${other}") { nodes { id } } }` },
  'no document at all': { query: 42, variables: planted, extensions: planted },
  'a persisted query': { extensions: { persistedQuery: { version: 1, sha256Hash: other } } },
};

const clientHeaders = {
  'content-type': 'application/json',
  authorization: `Bearer ${token}`,
  svcprivatekey: key,
  cookie: `session=${cookie}`,
  traceparent: trace,
  'x-request-id': `${id} ${other}`,
};

const found = (text: string): readonly string[] => canaries.filter((canary) => text.includes(canary));

/** Sends these requests; neither their answers nor the log may hold what was planted, but for their own values. */
async function expectSilence(reply: Reply, bodies: Readonly<Record<string, unknown>>): Promise<number> {
  const { log, lines } = captureLog();
  const { gateway, upstream } = await startScripted(() => reply, { log });
  const address = upstream.url.slice('http://'.length);
  for (const [what, body] of Object.entries(bodies)) {
    const own = JSON.stringify(body);
    const sent = { ...clientHeaders, 'idempotency-key': idempotency + what.length };
    const { text } = await sendRaw(`${gateway.url}/graphql`, { method: 'POST', headers: sent, body: own });
    expect([what, found(text).filter((canary) => !own.includes(canary) || canary === nin)]).toEqual([what, []]);
    expect([what, found(lines.join(''))]).toEqual([what, []]);
    expect([text, lines.join('')].filter((told) => told.includes(address))).toEqual([]);
  }
  return upstream.requests.length;
}

it('a request that is refused is told of in no log line, and nothing is sent', async () => {
  expect(await expectSilence(success({ id: 'c1' }), refused)).toBe(0);
});

it.each(Object.entries(replies))(
  'a service that answers by %s is told of in no answer and no log line',
  async (_, reply) => {
    expect(await expectSilence(reply, documents)).toBeGreaterThanOrEqual(2);
  },
);
