import { createLocalStorage } from '@graphiql/toolkit';

const history = ['graphiql:queries', 'graphiql:favorites'];
const setting = 'graphiql:shouldPersistHeaders';

/** GraphiQL's JSON with other headers in each entry. */
const withHeaders = (text, change) =>
  JSON.stringify(JSON.parse(text), (key, value) => (key === 'headers' ? change(value) : value));

/**
 * The browser's storage for tabs and history, apart for each service: what was tried at the embedded bank never opens
 * before another one. GraphiQL would keep headers in its history whatever its setting says: they are kept only where the
 * person has switched that on.
 */
export function createStorage(namespace, firstHeaders) {
  const local = createLocalStorage({ namespace });
  const setItem = (key, text) => {
    const keepsAll = !history.includes(key) || local.getItem(setting) === 'true';
    local.setItem(key, keepsAll ? text : withHeaders(text, () => null));
    // Switched off, it takes them out of the history that was kept.
    if (key === setting) history.forEach((name) => setItem(name, local.getItem(name)));
  };
  const getItem = (key) =>
    history.includes(key) ? withHeaders(local.getItem(key), (kept) => kept ?? firstHeaders) : local.getItem(key);
  return { ...local, getItem, setItem };
}
