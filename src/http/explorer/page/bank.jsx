import { useEffect, useState } from 'react';
import { Pane } from './pane.jsx';

const switches = {
  'lost-answer': 'Next writes: done, answer lost',
  'cut-write': 'Next writes: cut before they are done',
  'failed-write': 'Next writes: 500',
  duplicate: 'Next creates: already taken',
  slow: 'Slow',
  down: 'Down: 503',
  'rate-limited': 'Rate limit: 429',
};
const gone = 'The embedded bank does not answer. Does `npm start` still run?';
const headers = { 'content-type': 'application/json' };

async function call(path, body) {
  const answer = await fetch(`/explorer/bank/${path}`, body && { method: 'POST', headers, body: JSON.stringify(body) });
  return answer.status === 204 ? {} : answer.json();
}

/** A table whose first row and column are heads; the rows beyond those that are shown are counted. */
function Table({ rows, shown = 10 }) {
  return (
    <table>
      <tbody>
        {rows.slice(0, shown + 1).map(([head, ...texts]) => (
          <tr key={head}>{[<th key={head}>{head}</th>, ...texts.map((text, at) => <td key={at}>{text}</td>)]}</tr>
        ))}
      </tbody>
      {rows.length > shown + 1 && <caption>and {rows.length - shown - 1} more</caption>}
    </table>
  );
}

/** The faults that the bank is told to have. */
function Faults({ faults, order }) {
  const armed = (name) => faults.filter(({ scenario }) => scenario === name).length;
  return (
    <>
      {Object.entries(switches).map(([name, label]) => (
        <button
          key={name}
          role="switch"
          aria-checked={armed(name) > 0}
          onClick={() => order('switches', { name, isOn: armed(name) === 0 }, '')}
        >
          {label} {armed(name) > 1 && `(${armed(name)} kinds)`}
        </button>
      ))}
      {armed(undefined) > 0 && <span>{armed(undefined)} faults ordered by request </span>}
      <button onClick={() => order('reset', {}, 'Data, requests and faults are as at the start.')}>
        Reset everything
      </button>
    </>
  );
}

/** What it holds of a merchant, and a deposit. */
function Customers({ customers, merchants, merchant, onMerchant, order }) {
  const [search, setSearch] = useState('');
  const texts = customers
    .filter((customer) => customer.merchant === merchant)
    .map(({ id, name, balance, currency, accounts }) => [id, name, `${balance} ${currency}`, accounts.join(', ')]);
  const found = texts.filter((row) => row.join(' ').toLowerCase().includes(search.toLowerCase()));
  const deposit = (event) => {
    event.preventDefault();
    const [accountNumber, amount] = ['accountNumber', 'amount'].map((name) => event.target.elements[name].value);
    return order('deposits', { accountNumber, amount }, `${amount} deposited to ${accountNumber}.`);
  };
  return (
    <form onSubmit={deposit}>
      <select aria-label="Merchant of this tab" value={merchant} onChange={({ target }) => onMerchant(target.value)}>
        {merchants.map(({ name }) => (
          <option key={name}>{name}</option>
        ))}
      </select>
      <input
        type="search"
        aria-label="Search"
        placeholder="Search"
        onChange={({ target }) => setSearch(target.value)}
      />
      <select name="accountNumber" aria-label="Account">
        {found.flatMap(([, , , accounts]) =>
          (accounts.match(/\d+/g) ?? []).map((number) => <option key={number}>{number}</option>),
        )}
      </select>
      <input name="amount" aria-label="Amount" inputMode="decimal" defaultValue="100.00" />
      <button>Deposit</button>
      <Table rows={[['Customer', 'Name', 'Balance', 'Accounts'], ...found]} />
    </form>
  );
}

export function Bank(tab) {
  const [isOpen, setOpen] = useState(window.location.hash === '#bank');
  const [{ customers = [], faults = [], requests = [] }, setState] = useState({});
  const [said, say] = useState('Faults, deposits and requests.');
  const refresh = async () => {
    try {
      const parts = await Promise.all(['customers', 'faults', 'requests'].map((path) => call(path)));
      setState(Object.assign({}, ...parts));
      // A message is a refusal: the page was opened from another machine.
      say((words) => parts[0].message ?? (words === gone ? '' : words));
    } catch {
      say(gone);
    }
  };
  useEffect(() => {
    if (!isOpen) return undefined;
    void refresh();
    const timer = setInterval(() => void refresh(), 1_000);
    return () => clearInterval(timer);
  }, [isOpen]);
  const order = async (path, body, words) => {
    const { success = true, message, errors = { message } } = await call(path, body);
    say(success ? words : Object.values(errors).join(' '));
    await refresh();
  };
  const asked = requests.toReversed().map(({ time, method, path, status, durationMs }) => {
    const end = durationMs === null ? ['…', '…'] : [status ?? 'cut', `${durationMs} ms`];
    return [time.slice(11, 23), <code key={path}>{`${method} ${path}`}</code>, ...end];
  });
  return (
    <Pane title="Bank" status={said} isOpen={isOpen} onToggle={() => setOpen(!isOpen)}>
      <Faults faults={faults} order={order} />
      <Customers customers={customers} order={order} {...tab} />
      <Table rows={[['Time', 'Request', 'Status', 'Duration'], ...asked]} />
    </Pane>
  );
}
