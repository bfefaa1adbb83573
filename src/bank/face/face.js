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
  await show();
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

let shown = '';

/** Draws again only what has changed, so that the keyboard's focus stays where it is. */
async function show() {
  const [{ requests }, { customers }] = await Promise.all([read('requests'), read('customers')]);
  const state = JSON.stringify([requests.length, requests.at(-1), customers]);
  if (state === shown) return;
  shown = state;
  const journal = requests.slice(-shownRequests).toReversed();
  find('journal').replaceChildren(
    ...toTable(
      ['Time', 'Operation', 'Request', 'Credential'],
      journal.map(({ time, operation, method, path, credentials }) => [
        time.slice(11, 23),
        operation ?? 'no operation',
        `${method} ${path}`,
        credentials.join(', '),
      ]),
    ),
  );
  find('customers').replaceChildren(
    ...toTable(
      ['Customer', 'Name', 'Merchant', 'Balance', 'Accounts'],
      customers.map(({ id, name, merchant, balance, accounts }) => [
        id,
        name,
        merchant,
        balance,
        create('span', {}, ...accounts.map(deposit)),
      ]),
    ),
  );
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
await show();
setInterval(() => void show(), refreshMs);
