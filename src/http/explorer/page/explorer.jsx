import { useGraphiQL } from '@graphiql/react';
import { createLocalStorage } from '@graphiql/toolkit';
import { GraphiQL, HISTORY_PLUGIN } from 'graphiql';
import { useCallback, useEffect, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Bank } from './bank.jsx';
import { Calls } from './calls.jsx';
import './explorer.css';
import { post, read } from './requests.js';

const getWorker = (_, name) => new Worker(`/explorer/assets/${name}.js`, { type: 'module' });
globalThis.MonacoEnvironment = { getWorker };
const dark = matchMedia('(prefers-color-scheme: dark)');

// The schema comes from the page's own address: introspection needs no credential and no call.
const { merchants, tabs, url, hasSchema } = await read('start');
const schema = hasSchema ? (await read('schema')).data : null;
const plugins = merchants ? [HISTORY_PLUGIN, { title: 'Bank', icon: () => '₦', content: Bank }] : [HISTORY_PLUGIN];

// Tabs and history are kept apart for each service: what was tried at the embedded bank never opens before another one.
const local = createLocalStorage({ namespace: merchants ? 'embedded bank' : url });
// The bank's own address leads to its pane.
if (window.location.hash === '#bank') local.setItem('graphiql:visiblePlugin', 'Bank');
const setting = 'graphiql:shouldPersistHeaders';
const histories = ['graphiql:queries', 'graphiql:favorites'];

/** GraphiQL would keep headers in its history whatever its setting says, also those from before it was switched off. */
function setItem(key, text) {
  const isKept = !histories.includes(key) || local.getItem(setting) === 'true';
  const drop = (name, value) => (name === 'headers' ? undefined : value);
  local.setItem(key, isKept ? text : JSON.stringify(JSON.parse(text), drop));
  if (key === setting) histories.forEach((name) => setItem(name, local.getItem(name)));
}

/** The calls that the tab's operation needs at worst. */
function Cost() {
  const { query, variables, operationName } = useGraphiQL((state) => state.tabs[state.activeTabIndex]);
  const [{ calls, maximum }, setCost] = useState({});
  useEffect(() => {
    const estimate = async () => {
      const question = { query, operationName, variables: JSON.parse(variables?.trim() || '{}') };
      setCost(await (await post('explorer/explain', question)).json());
    };
    // Variables that are being typed are no JSON.
    const timer = hasSchema && setTimeout(() => void estimate().catch(() => {}), 300);
    return () => clearTimeout(timer);
  }, [query, variables, operationName]);
  return (
    <output id="cost" aria-label="Estimated calls">
      {calls === undefined ? '' : `${calls} of ${maximum} calls${calls > maximum ? ': refused' : ''}`}
    </output>
  );
}

/** Has the editors named, left by Tab, wrapped, and in the system's theme also when that changes. */
function Editors() {
  const { theme, actions, queryEditor, variableEditor, headerEditor, responseEditor } = useGraphiQL((state) => state);
  useEffect(() => {
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it takes the place of the one before
    dark.onchange = () => actions.setTheme(theme);
    const editors = {
      Operation: queryEditor,
      Variables: variableEditor,
      Headers: headerEditor,
      Answer: responseEditor,
    };
    const options = { tabFocusMode: true, wordWrap: 'on', fontSize: 13, renderFinalNewline: 'on' };
    for (const [ariaLabel, editor] of Object.entries(editors)) editor?.updateOptions({ ...options, ariaLabel });
  }, [theme, actions, queryEditor, variableEditor, headerEditor, responseEditor]);
}

function Explorer() {
  const [runs, setRuns] = useState({});
  const [tab, merchant] = [useRef(), useRef()];
  const fetcher = useCallback(async (operation, { headers }) => {
    const [{ id }, startedAt] = [tab.current, performance.now()];
    // What the footer shows: the time so far, and then also status, request id and calls.
    const keep = (run) => setRuns((others) => ({ ...others, [id]: { ms: performance.now() - startedAt, ...run } }));
    const timer = setInterval(keep, 100);
    const credentials = merchants?.[merchant.current.selectedIndex]?.headers;
    let end = { status: 'No answer' };
    try {
      const answer = await post('graphql', operation, { 'x-explain': 'requests' }, credentials, headers);
      const { extensions, ...shown } = await answer.json();
      end = { status: answer.status, requestId: answer.headers.get('x-request-id'), calls: extensions?.calls };
      return shown;
    } finally {
      clearInterval(timer);
      keep(end);
      document.querySelector('.graphiql-response').scrollIntoView({ block: 'nearest' });
    }
  }, []);
  return (
    <GraphiQL
      {...{ fetcher, schema, plugins, storage: { ...local, setItem } }}
      defaultTabs={tabs[0] && tabs}
      shouldPersistHeaders={local.getItem(setting) === 'true'}
      showPersistHeadersSettings
      defaultEditorToolsVisibility="variables"
      onTabChange={(state) => (tab.current = state.tabs[state.activeTabIndex])}
    >
      <GraphiQL.Logo>
        {merchants && (
          <select ref={merchant} aria-label="Merchant">
            {[...merchants, { name: 'No credentials' }].map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        )}
      </GraphiQL.Logo>
      <GraphiQL.Toolbar>{({ prettify, merge, copy }) => [prettify, merge, copy, <Cost key="cost" />]}</GraphiQL.Toolbar>
      <GraphiQL.Footer>
        <Editors />
        <Calls runs={runs} />
      </GraphiQL.Footer>
    </GraphiQL>
  );
}

createRoot(document.getElementById('explorer')).render(<Explorer />);
