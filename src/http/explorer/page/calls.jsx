import { useState } from 'react';
import { toCurl } from './curl.js';
import { Pane } from './pane.jsx';

const phases = ['wait', 'wire', 'decode'];
const inWords = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

const plural = (count, word, text = count) => `${text} ${word}${count === 1 ? '' : 's'}`;
const ms = (value) => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
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
function describe({ ms: isEnded, calls }) {
  if (isEnded === undefined) return 'Running …';
  if (calls === undefined) return 'This answer has no list of calls.';
  if (calls.length === 0) return 'No call was made.';
  const waves = countWaves(calls);
  const others = [...Map.groupBy(calls, stateOf)].filter(([state]) => state !== 'done');
  const counts = others.map(([state, { length }]) => `${length} ${state}`).join(', ');
  const text = `${plural(calls.length, 'call')} in ${plural(waves, 'wave', inWords[waves])}, ${ms(durationOf(calls))}`;
  return counts === '' ? text : `${text}; ${counts}`;
}

export function Calls({ run, service }) {
  const [isOpen, setOpen] = useState(true);
  const { calls = [], cost } = run ?? {};
  const groups = Map.groupBy(calls, (call) => [stateOf(call), call.operation, ...call.fields].join(' '));
  const scale = { from: startOf(calls), factor: 100 / Math.max(durationOf(calls), 0.01), service };
  return (
    <Pane
      title="Calls"
      status={run === undefined ? 'None yet.' : describe(run)}
      isOpen={isOpen && calls.length > 0}
      onToggle={() => setOpen(!isOpen)}
    >
      {[...groups].map(([key, group]) => (
        <Row key={key} calls={group} name={group[0].operation} {...scale} />
      ))}
      <p className="soft">
        Light: waiting. Full: on the wire. Striped: decoding. Open a row for its numbers.
        {cost && ` Estimated: at most ${cost.estimated} of ${cost.maximum} calls.`}
      </p>
    </Pane>
  );
}

/** One call with its numbers, or equal ones, each with its path. */
function Row({ calls, name, ...scale }) {
  const [call] = calls;
  const state = stateOf(call);
  return (
    <details className={`call ${state.replace(' ', '-')}`}>
      <summary>
        <strong>{state}</strong>
        <span className="name">{calls.length === 1 ? name : `${name} × ${calls.length}`}</span>
        <span className="bar">{calls.flatMap((each, index) => toBar(each, index, scale))}</span>
        <span className="ms">{ms(durationOf(calls))}</span>
      </summary>
      {calls.length === 1 ? (
        <Numbers call={call} service={scale.service} />
      ) : (
        calls.map((each, index) => <Row key={index} calls={[each]} name={(each.request ?? each).path} {...scale} />)
      )}
    </details>
  );
}

function toBar(call, index, { from, factor }) {
  let at = call.startMs - from;
  return phases.map((phase) => {
    const style = { left: `${at * factor}%`, width: `${call[`${phase}Ms`] * factor}%` };
    at += call[`${phase}Ms`];
    return <span key={`${index} ${phase}`} className={phase} style={style} />;
  });
}

/** The numbers of a call by the names that docs/explorer.md explains, and its curl line. */
function Numbers({ call: { request, ...numbers }, service }) {
  const [isCopied, setCopied] = useState(false);
  const command = request && toCurl({ ...numbers, request }, service);
  const copy = () => navigator.clipboard.writeText(command).then(() => setCopied(true));
  return (
    <>
      <dl>
        {Object.entries({ ...numbers, path: request?.path ?? numbers.path }).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt> <dd>{[value].flat().join(', ')}</dd>
          </div>
        ))}
      </dl>
      <p className="curl">
        <code>{command ?? 'Nothing was sent.'}</code>
        {command && <button onClick={() => void copy()}>{isCopied ? 'Copied' : 'Copy as curl'}</button>}
      </p>
    </>
  );
}
