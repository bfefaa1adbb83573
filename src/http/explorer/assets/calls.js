const phases = [
  ['waitMs', 'wait', 'waiting'],
  ['wireMs', 'wire', 'on the wire'],
  ['decodeMs', 'decode', 'decoding'],
];
const columns = ['Time', 'Call', 'Answer', 'Start', 'Wait', 'Wire', 'Decode', 'Size', 'Fields', 'By hand'];

function create(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

const plural = (count, word) => `${count} ${word}${count === 1 ? '' : 's'}`;
const ms = (value) => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
const endOf = ({ startMs, waitMs, wireMs, decodeMs }) => startMs + waitMs + wireMs + decodeMs;
const size = (bytes) => (bytes < 1024 ? `${bytes} B` : `${(bytes / 1024).toFixed(1)} KiB`);

export function clearCalls() {
  document.getElementById('calls-summary').textContent = '';
  document.getElementById('calls-body').replaceChildren();
}

/** Shows the calls of an answer, a row each: its bar at its true offset, and the same in words. */
export function showCalls(calls, cost, service) {
  const summary = document.getElementById('calls-summary');
  const body = document.getElementById('calls-body');
  if (calls === undefined) {
    summary.textContent = 'This answer has no list of calls.';
    return body.replaceChildren();
  }
  const tries = calls.reduce((sum, call) => sum + call.tries, 0);
  const estimate = cost === undefined ? '' : `, estimated at ${cost.estimated} of ${cost.maximum}`;
  const end = Math.max(0, ...calls.map(endOf));
  const more = tries === calls.length ? '' : `, ${plural(tries, 'request')} sent`;
  summary.textContent = `${plural(calls.length, 'call')}${more} in ${ms(end)}${estimate}`;
  if (calls.length === 0) return body.replaceChildren();
  const from = Math.min(...calls.map(({ startMs }) => startMs));
  const scale = 100 / Math.max(end - from, 0.01);
  const head = columns.map((name) => create('th', { scope: 'col', textContent: name }));
  const rows = calls.map((call) => toRow(call, from, scale, service));
  const caption = create('caption', { textContent: 'Light: waiting. Dark: on the wire. Striped: decoding.' });
  return body.replaceChildren(
    create('table', {}, caption, create('thead', {}, create('tr', {}, ...head)), create('tbody', {}, ...rows)),
  );
}

function toRow(call, from, scale, service) {
  const { operation, method, path, startMs, waitMs, wireMs, decodeMs, bytes } = call;
  const name = create('th', { scope: 'row' }, operation, create('small', { textContent: `${method} ${path}` }));
  const texts = [ms(startMs), ms(waitMs), ms(wireMs), ms(decodeMs), size(bytes)];
  return create(
    'tr',
    { className: stateOf(call) },
    create('td', { className: 'picture' }, toBar(call, from, scale)),
    name,
    create('td', { textContent: answerOf(call) }),
    ...texts.map((textContent) => create('td', { className: 'number', textContent })),
    fieldsCell(call),
    create('td', {}, copyButton(call, service)),
  );
}

function toBar(call, from, scale) {
  const label = phases.map(([key, , words]) => `${ms(call[key])} ${words}`).join(', ');
  const bar = create('div', { className: 'bar', role: 'img', ariaLabel: `From ${ms(call.startMs)}: ${label}` });
  let at = call.startMs - from;
  for (const [key, className] of phases) {
    const part = create('span', { className });
    part.style.left = `${at * scale}%`;
    part.style.width = `${call[key] * scale}%`;
    bar.append(part);
    at += call[key];
  }
  return bar;
}

/** The colour is never alone: the same stands in words in the column of the answer. */
function stateOf({ status, reason, tries, outcome }) {
  if (outcome === 'unknown') return 'failed';
  if (status === 429 || reason === 'full') return 'throttled';
  if (status === undefined ? reason !== 'replayed' : status >= 400) return 'failed';
  return tries > 1 ? 'retried' : 'fine';
}

function answerOf({ status, reason, tries, reused, outcome, evidence, key }) {
  const words = [String(status ?? reason)];
  if (status === 429) words.push('throttled');
  if (tries !== 1) words.push(tries === 0 ? 'not sent' : plural(tries, 'try').replace('trys', 'tries'));
  if (outcome !== undefined) words.push(evidence === undefined ? outcome : `${outcome} (record ${evidence})`);
  if (key !== undefined) words.push(`key ${key}`);
  if (status !== undefined && !reused) words.push('new connection');
  return words.join(', ');
}

function fieldsCell({ fields, uses }) {
  const cell = create('td', { className: 'fields' });
  if (uses > 1) cell.append(create('strong', { textContent: `${uses} fields, 1 call` }), ' ');
  if (uses === 0) cell.append(create('strong', { textContent: 'read ahead, not needed' }), ' ');
  cell.append(fields.join(', '));
  return cell;
}

function copyButton(call, service) {
  const button = create('button', { type: 'button', textContent: 'Copy as curl' });
  button.setAttribute('aria-label', `Copy as curl: ${call.operation}`);
  button.addEventListener('click', async () => {
    const text = toCurl(call, service);
    button.title = text;
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = 'Copied';
    } catch {
      window.prompt('Copy:', text); // without a permission for the clipboard
    }
  });
  return button;
}

/** A header for the shell; a quote ends the text, stands escaped, and begins it again. */
const toOption = (header) => ` -H '${header.replaceAll("'", String.raw`'\''`)}'`;

/** Variables of the shell stand for secrets and keys, names in braces for identifiers: no value is in the answer's calls. */
export function toCurl({ operation, method, path }, service) {
  const { url, privateKeyHeader, credentials, mediaType, headers, writes, idempotencyHeader } = service;
  const secrets = {
    privateKey: `${privateKeyHeader}: $SVCPRIVATEKEY`,
    bearer: 'Authorization: Bearer $TOKEN',
    idempotencyKey: `${idempotencyHeader}: $IDEMPOTENCY_KEY`,
  };
  const common = [['accept', mediaType], ...headers].map((header) => toOption(header.join(': ')));
  const keys = idempotencyHeader !== null && writes.includes(operation) ? ['idempotencyKey'] : [];
  const sent = [...(credentials[operation] ?? []), ...keys].map((name) => ` -H "${secrets[name]}"`);
  const body = method === 'GET' ? '' : `${toOption(`content-type: ${mediaType}`)} -d @body.json`;
  return `curl -g -X ${method} '${url}${path}'${[...common, ...sent].join('')}${body}`;
}
