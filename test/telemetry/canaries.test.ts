import { expect, it } from 'vitest';
import { startScripted } from '../support/gateway.ts';
import { sendRaw } from '../support/http.ts';
import { captureLog } from '../support/log.ts';
import { failure, success, type Reply } from '../support/upstream.ts';

/** Forty texts that must come out nowhere: made of letters that stand nowhere else. */
const canaries = Array.from(
  { length: 40 },
  (_, index) => `canary${String.fromCharCode(97 + (index % 26)).repeat(3 + index)}`,
);
const [token = '', key = '', nin = '', bvn = '', born = '', email = '', phone = '', ...more] = canaries;
const [cookie = '', trace = '', idempotency = '', host = '', frame = '', ...others] = more;
const planted = canaries.join(' ');

const stack = `Error: ${frame}\n    at ${frame} (/srv/${frame}/app.js:1:1)`;
const html = `<html><h1>${planted}</h1><pre>${stack}</pre><a href="https://${host}.internal/">x</a></html>`;
const headers = { server: String(others[0]), 'x-powered-by': String(others[1]), via: `1.1 ${host}` };

/** A refusal's sentence reaches the client, but for what the client sent and where the service is. */
const sentence = `${token} ${key} ${email}@example.com ${others[11]} https://${host}.internal/${frame}`;

/** Every position in which a service may put something that it should not tell. */
const replies: Readonly<Record<string, Reply>> = {
  'a page at 200': { text: html, headers },
  'a page at 502': { status: 502, text: html, headers },
  'a redirect': { status: 302, text: html, headers: { location: `https://${host}.internal/${token}` } },
  'a failure with a trace': { ...failure(500, planted, { stack }), headers },
  'a refusal of its own credentials': failure(401, `${planted} ${stack}`),
  'a forbidding': failure(403, planted),
  'a limit of its rate': { ...failure(429, planted), headers: { 'retry-after': String(others[2]) } },
  'a missing record': failure(404, planted),
  'a failure inside 200': { json: { success: false, message: sentence, code: others[3] } },
  'a refusal': { ...failure(422, sentence, { email: [sentence] }), headers },
  'a record of another shape': success([planted, { [String(others[4])]: planted }]),
  'values of other types': success({ id: { [String(others[5])]: planted }, first_name: [planted], balance: planted }),
  'unreadable values': success({
    id: 'c1',
    first_name: { planted },
    date_of_birth: planted,
    created_at: planted,
    balance: planted,
  }),
  'a text that is not JSON': { text: `{"data": ${planted}`, headers: { 'content-type': 'application/json' } },
  'a body that is compressed': { text: planted, headers: { 'content-encoding': String(others[6]) } },
  'a cut connection': { cut: true },
};

/** Every position of a request that reaches the service in which a client may put what is nobody else's business. */
const documents: Readonly<Record<string, unknown>> = {
  'a read': { query: '{ customer(id: "c1") { firstName dateOfBirth createdAt balance { value { amount } } } }' },
  'an alias': { query: `{ ${others[9]}: customer(id: "${others[10]}") { firstName } }` },
  'a create': {
    query:
      'mutation($input: CreateCustomerInput!) { createCustomer(input: $input) { customer { firstName } userErrors { code message } } }',
    variables: { input: { nin, bvn, dateOfBirth: born, email, phone, firstName: others[11], lastName: others[12] } },
  },
  'a create of sound values': {
    query:
      'mutation($input: CreateCustomerInput!) { createCustomer(input: $input) { customer { createdAt } userErrors { code message } } }',
    variables: {
      input: { email: `${email}@example.com`, firstName: others[11], reference: others[13], type: others[14] },
    },
  },
};

/** The same of requests that are refused before, whatever the service would answer. */
const refused: Readonly<Record<string, unknown>> = {
  'a list with a cursor': { query: `{ customers(after: "${others[7]}") { nodes { id } } }` },
  'a search': { query: `{ customers(search: "${others[8]}") { nodes { id } } }` },
  'an amount': {
    query:
      'mutation($amount: Decimal) { createOneTimeAccount(input: { customerId: "c1", amount: $amount }) { userErrors { code } } }',
    variables: { amount: others[16] },
  },
  'a variable of another type': {
    query: 'query($id: ID!) { customer(id: $id) { type } }',
    variables: { id: { planted } },
  },
  'an unknown input field': {
    query: 'mutation($input: CreateCustomerInput!) { createCustomer(input: $input) { userErrors { code } } }',
    variables: { input: { [String(others[17])]: planted } },
  },
  'a value of an enum': {
    query: 'query($first: Int) { customers(first: $first) { nodes { id } } }',
    variables: { first: planted },
  },
  'a literal in the wrong place': { query: `{ customers(first: "${others[18]}") { nodes { id } } }` },
  'no document at all': { query: 42, variables: planted, extensions: planted },
  'a persisted query': { extensions: { persistedQuery: { version: 1, sha256Hash: others[19] } } },
};

const clientHeaders = {
  'content-type': 'application/json',
  authorization: `Bearer ${token}`,
  svcprivatekey: key,
  cookie: `session=${cookie}`,
  traceparent: trace,
  'x-canary': String(others[20]),
  'x-request-id': `${others[21]} ${others[22]}`,
};

const found = (text: string): readonly string[] => canaries.filter((canary) => text.includes(canary));

/** Sends these requests; neither their answers nor the log may hold what was planted, but for their own values. */
async function expectSilence(reply: Reply, bodies: Readonly<Record<string, unknown>>): Promise<number> {
  const { log, lines } = captureLog();
  const { gateway, upstream } = await startScripted(() => reply, { log });
  const address = upstream.url.slice('http://'.length);
  for (const [name, body] of Object.entries(bodies)) {
    const own = JSON.stringify(body);
    const { text } = await sendRaw(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { ...clientHeaders, 'idempotency-key': idempotency + name.length },
      body: own,
    });
    expect([name, found(text).filter((canary) => !own.includes(canary) || canary === nin)]).toEqual([name, []]);
    expect([name, found(lines.join(''))]).toEqual([name, []]);
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
    expect(await expectSilence(reply, documents)).toBeGreaterThanOrEqual(Object.keys(documents).length - 1);
  },
);
