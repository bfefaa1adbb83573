import { clearCalls, showCalls } from './calls.js';

const { React, ReactDOM, GraphiQL } = window;
const element = React.createElement;

const fetchJson = async (address, options) => (await fetch(address, options)).json();

const post = (address, body, headers = {}) =>
  fetchJson(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

const start = await fetchJson('/explorer/start');

/** The answer whose calls are shown, as GraphiQL prints it. */
let answered = '';

/** The schema comes from the page's own address: introspection needs no credential and no call. */
async function run({ query, variables, operationName }, { headers = {} } = {}) {
  if (operationName === 'IntrospectionQuery') return fetchJson('/explorer/schema');
  const answer = await post('/graphql', { query, variables, operationName }, { ...headers, 'x-explain': 'calls' });
  const { calls, cost, ...extensions } = answer.extensions ?? {};
  showCalls(calls, cost, start.service);
  const { extensions: _, ...shown } = answer;
  const result = Object.keys(extensions).length === 0 ? shown : { ...shown, extensions };
  answered = JSON.stringify(result, null, 2);
  return result;
}

/** The current contents of the editors. */
const editors = { query: '', variables: '', operationName: undefined };
let asked = 0;
let timer;

function estimateSoon(change) {
  Object.assign(editors, change);
  clearTimeout(timer);
  timer = setTimeout(() => void estimate(), 300);
}

/** Shows beside Run what the operation asks for at worst. */
async function estimate() {
  if (!start.hasSchema) return;
  asked += 1;
  const question = asked;
  const explanation = await explain();
  const cost = document.getElementById('cost');
  if (question !== asked || cost === null) return;
  const { calls, maximum, waves, credentials } = explanation;
  const isKnown = calls !== undefined;
  cost.textContent = isKnown ? `${calls} of ${maximum} calls` : '';
  cost.title = isKnown
    ? `${waves.length} wave(s): ${waves.join(', ')}; needs ${credentials.join(' and ') || 'no credential'}`
    : '';
  cost.className = calls > maximum ? 'too-dear' : '';
}

async function explain() {
  try {
    const variables = editors.variables.trim() === '' ? {} : JSON.parse(editors.variables);
    return await post('/explorer/explain', { ...editors, variables });
  } catch {
    return {}; // variables that are being typed
  }
}

/**
 * The browser's storage for tabs and history, apart for each service: what was tried at the embedded bank never opens
 * before another one. GraphiQL would keep headers in its history whatever its setting says: they are kept only where the
 * person has switched that on.
 */
function createStorage(firstHeaders) {
  const space = `${start.headers === undefined ? start.service.url : 'embedded bank'} `;
  const history = ['graphiql:queries', 'graphiql:favorites'];
  const withHeaders = (text, headersOf) => {
    const { queries = [], favorites = [], ...others } = JSON.parse(text);
    const change = (entries) => entries.map((entry) => ({ ...entry, headers: headersOf(entry) }));
    return JSON.stringify({ ...others, queries: change(queries), favorites: change(favorites) });
  };
  const setting = 'graphiql:shouldPersistHeaders';
  const read = (key) => localStorage.getItem(space + key);
  const store = (key, text) => {
    const keepsAll = !history.includes(key) || read(setting) === 'true';
    localStorage.setItem(space + key, keepsAll ? text : withHeaders(text, () => null));
  };
  const keys = () => Object.keys(localStorage).filter((key) => key.startsWith(space));
  return {
    get length() {
      return keys().length;
    },
    getItem: (key) => {
      const text = read(key);
      return text !== null && history.includes(key)
        ? withHeaders(text, ({ headers }) => headers ?? firstHeaders)
        : text;
    },
    setItem: (key, text) => {
      store(key, text);
      if (key !== setting) return;
      // Switched off, it takes them out of the history that was kept.
      for (const kept of history.filter((name) => read(name) !== null)) store(kept, read(kept));
    },
    removeItem: (key) => localStorage.removeItem(space + key),
    clear: () => keys().forEach((key) => localStorage.removeItem(key)),
  };
}

function Explorer() {
  const headers = start.headers === undefined ? '' : JSON.stringify(start.headers, null, 2);
  const bank =
    start.bankUrl &&
    element('a', { href: start.bankUrl, target: '_blank', rel: 'noreferrer', className: 'bank-link' }, 'The bank');
  return element(
    GraphiQL,
    {
      fetcher: run,
      schema: start.hasSchema ? undefined : null,
      toolbar: { additionalContent: element('output', { id: 'cost', 'aria-label': 'Estimated calls' }) },
      storage: createStorage(headers),
      forcedTheme: 'light',
      headers,
      defaultHeaders: headers,
      defaultEditorToolsVisibility: 'variables',
      defaultTabs: start.tabs.length === 0 ? undefined : start.tabs.map((tab) => ({ ...tab, headers })),
      onEditQuery: (query) => estimateSoon({ query }),
      onEditVariables: (variables) => estimateSoon({ variables }),
      onEditOperationName: (operationName) => estimateSoon({ operationName }),
      onTabChange: ({ tabs, activeTabIndex }) => {
        const { query, variables, operationName } = tabs[activeTabIndex];
        estimateSoon({ query: query ?? '', variables: variables ?? '', operationName: operationName ?? undefined });
      },
    },
    element(GraphiQL.Logo, null, bank ?? 'Explorer'),
  );
}

const editorNames = {
  '.graphiql-query-editor': 'Operation',
  '.graphiql-editor-tool .graphiql-editor:not(.hidden)': 'Variables or headers',
  '.result-window': 'Answer',
};

const adapted = new WeakSet();

/** Lets Tab leave an editor, and clears the calls when another text than their answer is shown. */
function adapt(editor, isAnswer) {
  if (adapted.has(editor)) return;
  adapted.add(editor);
  editor.addKeyMap({ Tab: false, 'Shift-Tab': false });
  if (isAnswer) editor.on('change', () => editor.getValue() === answered || clearCalls());
}

/** Repairs what GraphiQL leaves out for screen readers and keyboards, each time it has drawn something. */
function repair(root) {
  for (const [selector, name] of Object.entries(editorNames)) {
    for (const input of root.querySelectorAll(`${selector} textarea`)) input.setAttribute('aria-label', name);
  }
  for (const element of root.querySelectorAll('.CodeMirror')) {
    adapt(element.CodeMirror, element.closest('.result-window') !== null);
  }
  for (const scroll of root.querySelectorAll('.CodeMirror-scroll[tabindex="-1"]')) scroll.tabIndex = 0;
  for (const past of root.querySelectorAll('.graphiql-history-item-label')) past.removeAttribute('aria-label');
  root.querySelector('.graphiql-tabs')?.setAttribute('role', 'group');
  for (const tab of root.querySelectorAll('.graphiql-tabs > li')) {
    const isCurrent = tab.classList.contains('graphiql-tab-active');
    tab.setAttribute('role', 'none');
    tab.removeAttribute('aria-selected');
    tab.querySelector('.graphiql-tab-button')?.setAttribute('aria-current', String(isCurrent));
  }
}

const observed = { subtree: true, childList: true, attributes: true, attributeFilter: ['aria-selected', 'tabindex'] };
const root = document.getElementById('explorer');
new MutationObserver(() => repair(root)).observe(root, observed);
ReactDOM.createRoot(root).render(element(Explorer));
