import { Button, useGraphiQL } from '@graphiql/react';

const inWords = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

const count = (number, word, text = number) => `${text} ${word}${number === 1 ? '' : 's'}`;
const toMs = (value) => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
const endOf = ({ startMs, waitMs, wireMs, decodeMs }) => startMs + waitMs + wireMs + decodeMs;
const startOf = (calls) => Math.min(...calls.map(({ startMs }) => startMs));
const durationOf = (calls) => Math.max(...calls.map(endOf)) - startOf(calls);

function stateOf({ status, reason, tries, outcome }) {
  if (reason === 'replayed') return reason;
  if (outcome !== undefined && outcome !== 'done') return outcome;
  if (status === 429 || reason === 'full' || reason === 'down') return 'throttled';
  if (status === undefined || status >= 400) return 'failed';
  return tries > 1 ? 'retried' : 'done';
}

/** How many calls had to end one after the other: a call waits for that of a field above its own, and for a write. */
function countWaves(calls) {
  const isBelow = (call, other) => call.fields.some((field) => other.fields.some((at) => field.startsWith(`${at}.`)));
  const waves = new Map();
  for (const call of calls) {
    const before = [...waves].filter(([other]) => endOf(other) <= call.startMs);
    const awaited = before.filter(([other]) => other.outcome !== undefined || isBelow(call, other));
    waves.set(call, 1 + Math.max(0, ...awaited.map(([, wave]) => wave)));
  }
  return Math.max(...waves.values());
}

/** An answer's calls in a sentence: `8 calls in two waves, 282 ms; 1 retried`. */
function describe({ status, calls }) {
  if (calls === undefined) return status === undefined ? 'Running …' : 'This answer has no list of calls.';
  if (calls.length === 0) return 'No call was made.';
  const waves = countWaves(calls);
  const others = [...Map.groupBy(calls, stateOf)].filter(([state]) => state !== 'done');
  const start = `${count(calls.length, 'call')} in ${count(waves, 'wave', inWords[waves])}, ${toMs(durationOf(calls))}`;
  return [start, ...others.map(([state, { length }]) => `${length} ${state}`)].join('; ');
}

/** Status, time and request id of the tab's answer, or the time so far, above the calls that it needed. */
export function Calls({ runs }) {
  const run = runs[useGraphiQL(({ tabs, activeTabIndex }) => tabs[activeTabIndex].id)];
  if (run === undefined) return <p>Run the operation to see its answer and its calls.</p>;
  const { status, ms, requestId, calls = [] } = run;
  const groups = Map.groupBy(calls, (call) => [stateOf(call), call.operation, ...call.fields].join(' '));
  const scale = `${startOf(calls)} 0 ${durationOf(calls)} 1`;
  return (
    <details aria-label="Calls" open={calls.length > 0}>
      <summary className="answer-line">
        <strong>{status}</strong> {status ? toMs(ms) : `${(ms / 1_000).toFixed(1)} s`} <code>{requestId}</code>{' '}
        <span role="status">{describe(run)}</span>
      </summary>
      {[...groups].map(([key, group]) => (
        <Row key={key} calls={group} name={group[0].operation} scale={scale} />
      ))}
      <p>Full: on the wire. Light: waiting before it, decoding after it. Open a row for its numbers.</p>
    </details>
  );
}

/** One call with its numbers, or equal ones, each with its path. */
function Row({ calls, name, scale }) {
  const state = stateOf(calls[0]);
  const rows = calls.map((each, index) => (
    <Row key={index} calls={[each]} name={(each.request ?? each).path} scale={scale} />
  ));
  return (
    <details className={`call ${state.replace(' ', '-')}`}>
      <summary>
        <strong>{state}</strong>
        <span className="name">{calls.length === 1 ? name : `${name} × ${calls.length}`}</span>
        <span>{toMs(durationOf(calls))}</span>
        <svg viewBox={scale} preserveAspectRatio="none" aria-hidden="true">
          {calls.map((each, index) => (
            <g key={index}>
              <rect x={each.startMs} width={durationOf([each])} height="1" opacity="0.3" />
              <rect x={each.startMs + each.waitMs} width={each.wireMs} height="1" className="wire" />
            </g>
          ))}
        </svg>
      </summary>
      {calls.length === 1 ? <Numbers {...calls[0]} /> : rows}
    </details>
  );
}

/** The numbers of a call by the names that docs/explorer.md explains, and its curl line. */
function Numbers({ request: { path, curl } = {}, ...call }) {
  const numbers = Object.entries(path ? { ...call, path } : call).map(([name, value]) => `${name} ${value}`);
  return (
    <>
      <p className="numbers">{numbers.join(' · ')}</p>
      <code>{curl ?? 'Nothing was sent.'}</code>
      {curl && <Button onClick={() => void navigator.clipboard.writeText(curl)}>Copy as curl</Button>}
    </>
  );
}
