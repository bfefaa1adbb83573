import { Button } from '@graphiql/react';
import { useEffect, useState } from 'react';
import { post, read } from './requests.js';

/** A request in a line: `12:03:11 200    4 ms GET /api/v1/customers/`. */
function toLine({ time, method, path, status, durationMs }) {
  const end = durationMs === null ? '…' : (status ?? 'cut');
  return `${time.slice(11, 19)} ${end} ${String(durationMs ?? '…').padStart(4)} ms ${method} ${path}\n`;
}

/** GraphiQL's plugin of the embedded bank: its faults, its customers, and the requests that it got. */
export function Bank() {
  const [{ customers = [], faults = [], switches = [], requests = [], message }, setState] = useState({});
  const [search, setSearch] = useState('');
  const [amount, setAmount] = useState('100.00');
  const [said, say] = useState('');
  const refresh = async () => {
    const parts = ['customers', 'faults', 'requests'].map((path) => read(`bank/${path}`));
    setState(Object.assign({}, ...(await Promise.all(parts).catch(() => [{ message: 'The bank does not answer.' }]))));
  };
  useEffect(() => {
    void refresh();
    const timer = setInterval(() => void refresh(), 1_000);
    return () => clearInterval(timer);
  }, []);
  const order = (path, body) =>
    void post(`explorer/bank/${path}`, body)
      .then((answer) => (answer.status === 204 ? {} : answer.json()))
      .then(({ errors, message = '' }) => say(errors ? Object.values(errors).join(' ') : message))
      .then(refresh);
  const found = customers.filter((each) => Object.values(each).join(' ').toLowerCase().includes(search.toLowerCase()));
  return (
    <section className="bank" aria-label="Bank">
      <p role="status">{message ?? said}</p>
      {switches.map(({ name, label, isOn }) => (
        <Button key={name} role="switch" aria-checked={isOn} onClick={() => order('switches', { name, isOn: !isOn })}>
          {label}
        </Button>
      ))}
      {faults.some(({ scenario }) => scenario === undefined) && 'Faults ordered by request are armed, too. '}
      <Button onClick={() => order('reset', {})}>Reset everything</Button>
      <pre>{requests.slice(-10).toReversed().map(toLine)}</pre>
      <input type="search" placeholder="Search customers" onChange={({ target }) => setSearch(target.value)} />
      <p>
        Deposit <input aria-label="Amount" defaultValue="100.00" onChange={({ target }) => setAmount(target.value)} />{' '}
        to:
      </p>
      <table>
        <tbody>
          {found.map(({ id, merchant, name, balance, currency, accounts }) => (
            <tr key={id}>
              <td>{`${id} ${name}, ${merchant}`}</td>
              <td>{`${balance} ${currency}`}</td>
              <td>
                {accounts.map((accountNumber) => (
                  <Button key={accountNumber} onClick={() => order('deposits', { accountNumber, amount })}>
                    {accountNumber}
                  </Button>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
