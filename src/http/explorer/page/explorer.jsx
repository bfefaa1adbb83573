import { useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { GraphiQL } from 'graphiql';
import { useEffect, useReducer, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Bank } from './bank.jsx';
import { Calls } from './calls.jsx';
import './explorer.css';
import { createStorage } from './storage.js';

const workers = { graphql: '/explorer/assets/graphql.js', json: '/explorer/assets/json.js' };
globalThis.MonacoEnvironment = {
  getWorker: (_, label) => new Worker(workers[label] ?? '/explorer/assets/editor.js', { type: 'module' }),
};

const read = async (path) => (await fetch(`/explorer/${path}`)).json();
const post = (path, body, headers) =>
  fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

// The schema comes from the page's own address: introspection needs no credential and no call.
const start = await read('start');
const schema = start.hasSchema ? (await read('schema')).data : null;
const { merchants = [] } = start;
const headersOf = (merchant) => JSON.stringify(merchant.headers, null, 2);
const headers = start.merchants && headersOf(merchants[0]);
const storage = createStorage(start.merchants ? 'embedded bank' : start.service.url, headers);

const useTab = () => useGraphiQL(({ tabs, activeTabIndex }) => tabs[activeTabIndex]);

/** Sends an operation; `keep` gets the run as it begins, and with its answer's status, time, request id and calls. */
async function send({ query, variables, operationName }, sent, keep) {
  const startedAt = performance.now();
  keep({ startedAt });
  try {
    const response = await post('/graphql', { query, variables, operationName }, { ...sent, 'x-explain': 'requests' });
    const { extensions: { calls, cost, ...extensions } = {}, ...answer } = await response.json();
    const [ms, requestId] = [performance.now() - startedAt, response.headers.get('x-request-id')];
    keep({ status: response.status, ms, requestId, calls, cost });
    return Object.keys(extensions).length === 0 ? answer : { ...answer, extensions };
  } catch (error) {
    keep({ status: 'No answer', ms: performance.now() - startedAt });
    throw error;
  }
}

/** The calls that the tab's operation needs at worst. */
function Cost() {
  const { query, variables, operationName } = useTab();
  const [{ calls, maximum, waves, credentials }, setCost] = useState({});
  useEffect(() => {
    const estimate = async () => {
      const question = { query, operationName, variables: JSON.parse(variables?.trim() || '{}') };
      setCost(await (await post('/explorer/explain', question)).json());
    };
    // Variables that are being typed are no JSON.
    const timer = start.hasSchema && setTimeout(() => void estimate().catch(() => {}), 300);
    return () => clearTimeout(timer);
  }, [query, variables, operationName]);
  const title = calls && `In waves of ${waves.join(', ')}; needs ${credentials.join(' and ') || 'no credential'}`;
  return (
    <output id="cost" aria-label="Estimated calls" className={calls > maximum ? 'too-dear' : ''} title={title}>
      {calls === undefined ? '' : `${calls} of ${maximum} calls`}
    </output>
  );
}

/** HTTP status, time and request id of the tab's answer; the time so far while there is none. */
function AnswerLine({ runs }) {
  const run = runs[useTab().id];
  const isRunning = run !== undefined && run.ms === undefined;
  const [, draw] = useReducer((count) => count + 1, 0);
  useEffect(() => {
    const timer = isRunning && setInterval(() => draw(), 100);
    return () => clearInterval(timer);
  }, [isRunning]);
  if (run === undefined) return <p className="answer-line">Run the operation to see its answer.</p>;
  if (isRunning) return <p className="answer-line">{((performance.now() - run.startedAt) / 1_000).toFixed(1)} s …</p>;
  return (
    <p className="answer-line">
      <strong>{run.status}</strong> {Math.round(run.ms)} ms <code>{run.requestId}</code>
    </p>
  );
}

/** GraphiQL gives a list item with two buttons the role of a tab, which may hold none. */
function describeTabs() {
  const list = document.querySelector('.graphiql-tabs');
  list.role = 'group';
  for (const tab of list.children) {
    tab.role = 'none';
    tab.removeAttribute('aria-selected');
    tab.firstChild.ariaCurrent = tab.classList.contains('graphiql-tab-active');
  }
}

const dark = matchMedia('(prefers-color-scheme: dark)');

/** What stands below GraphiQL. It also has the editors named, left by Tab, wrapped, and in the system's theme. */
function Panes({ runs, tabId }) {
  const { id, headers: sent } = useTab();
  const { setTheme } = useGraphiQLActions();
  const { theme, tabs, queryEditor, variableEditor, headerEditor, responseEditor } = useGraphiQL((state) => state);
  useEffect(() => void (tabId.current = id));
  useEffect(describeTabs, [tabs, id]);
  useEffect(() => {
    const follow = () => setTheme(theme);
    dark.addEventListener('change', follow);
    return () => dark.removeEventListener('change', follow);
  }, [theme, setTheme]);
  useEffect(() => {
    const editors = {
      Operation: queryEditor,
      Variables: variableEditor,
      Headers: headerEditor,
      Answer: responseEditor,
    };
    const options = { tabFocusMode: true, wordWrap: 'on', fontSize: 13, renderFinalNewline: 'on' };
    for (const [ariaLabel, editor] of Object.entries(editors)) editor?.updateOptions({ ...options, ariaLabel });
  }, [queryEditor, variableEditor, headerEditor, responseEditor]);
  const merchant = merchants.find((each) => headersOf(each) === sent) ?? merchants[0];
  const onMerchant = (name) => headerEditor.setValue(headersOf(merchants.find((each) => each.name === name)));
  return (
    <div className="panes">
      <Calls run={runs[id]} service={start.service} />
      {merchant && <Bank merchants={merchants} merchant={merchant.name} onMerchant={onMerchant} />}
    </div>
  );
}

function Explorer() {
  const [runs, setRuns] = useState({});
  const tabId = useRef();
  const fetcher = async (parameters, options) => {
    const id = tabId.current;
    const answer = await send(parameters, options.headers, (run) => setRuns((all) => ({ ...all, [id]: run })));
    document.querySelector('.graphiql-response').scrollIntoView({ block: 'nearest' });
    return answer;
  };
  const tabs = start.tabs.length === 0 ? undefined : start.tabs.map((tab) => ({ ...tab, headers }));
  return (
    <GraphiQL
      {...{ fetcher, schema, storage, defaultTabs: tabs, defaultHeaders: headers }}
      defaultEditorToolsVisibility="variables"
    >
      <GraphiQL.Logo>Explorer</GraphiQL.Logo>
      <GraphiQL.Toolbar>{({ prettify, merge, copy }) => [prettify, merge, copy, <Cost key="cost" />]}</GraphiQL.Toolbar>
      <GraphiQL.Footer>
        <AnswerLine runs={runs} />
      </GraphiQL.Footer>
      <Panes runs={runs} tabId={tabId} />
    </GraphiQL>
  );
}

createRoot(document.getElementById('explorer')).render(<Explorer />);
