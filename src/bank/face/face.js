const refreshMs = 1_000;
const shownRequests = 200;

const find = (id) => document.getElementById(id);
const read = async (path) => (await fetch(`/_bank/${path}`)).json();

function create(tag, properties, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

async function send(path, body, said) {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`/_bank/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  find('said').textContent = answer.ok ? said : (await answer.json()).message;
  await refresh();
}

function button(text, act) {
  const element = create('button', { type: 'button', textContent: text });
  element.addEventListener('click', () => void act());
  return element;
}

function toTable(heads, rows) {
  const cells = (values, tag) => values.map((value) => create(tag, tag === 'th' ? { scope: 'col' } : {}, value));
  const head = create('thead', {}, create('tr', {}, ...cells(heads, 'th')));
  return [head, create('tbody', {}, ...rows.map((row) => create('tr', {}, ...cells(row, 'td'))))];
}

const deposit = (accountNumber) =>
  button(`Deposit 100 to ${accountNumber}`, () =>
    send('deposits', { accountNumber, amount: '100.00' }, `100.00 deposited to ${accountNumber}.`),
  );

const shown = {};

/** Draws a table again only where it has changed, and leaves the keyboard's focus at the button that had it. */
function draw(id, heads, values, toCells) {
  const state = JSON.stringify(values);
  if (state === shown[id]) return;
  shown[id] = state;
  const table = find(id);
  const focused = table.contains(document.activeElement) ? document.activeElement.textContent : undefined;
  table.replaceChildren(...toTable(heads, values.map(toCells)));
  const again = [...table.querySelectorAll('button')].find(({ textContent }) => textContent === focused);
  again?.focus({ preventScroll: true });
}

async function show() {
  const [{ requests }, { customers }] = await Promise.all([read('requests'), read('customers')]);
  const journal = requests.slice(-shownRequests).toReversed();
  draw('journal', ['Time', 'Operation', 'Request', 'Credential'], journal, (request) => [
    request.time.slice(11, 23),
    request.operation ?? 'no operation',
    `${request.method} ${request.path}`,
    request.credentials.join(', '),
  ]);
  draw('customers', ['Customer', 'Name', 'Merchant', 'Balance', 'Accounts'], customers, (customer) => [
    customer.id,
    customer.name,
    customer.merchant,
    customer.balance,
    create('span', {}, ...customer.accounts.map(deposit)),
  ]);
}

const gone = 'The embedded bank does not answer. Does `npm start` still run?';

/** Refreshes the page. While the bank does not answer, a sentence says so and the last state stays. */
async function refresh() {
  try {
    await show();
    if (find('said').textContent === gone) find('said').textContent = '';
  } catch {
    find('said').textContent = gone;
  }
}

const { writes } = await read('customers');
const always = { count: 10_000 };
/** Orders a fault for every kind of write: each stays until that kind is called, or until a reset. */
const nextWrite = async (fault, said) => {
  for (const operation of writes) await send('faults', { operation, ...fault }, said);
};
find('faults').append(
  button('Next write fails', () => nextWrite({ status: 500 }, 'The next write of each kind answers 500.')),
  button('Next write: cut before it is done', () =>
    nextWrite({ cut: 'before' }, 'The next write of each kind is cut off before it is done.'),
  ),
  button('Next write: done, answer lost', () =>
    nextWrite({ cut: 'after' }, 'The next write of each kind is done, and its answer is lost.'),
  ),
  button('Slow', () =>
    send('faults', { ...always, latencyMs: 1_500 }, 'Each call takes 1.5 seconds more, until a reset.'),
  ),
  button('Down', () => send('faults', { ...always, status: 503 }, 'Each call answers 503, until a reset.')),
  button('Reset', () => send('reset', {}, 'Data, requests and faults are reset.')),
);
await refresh();
setInterval(() => void refresh(), refreshMs);
