export const read = async (path) => (await fetch(`/explorer/${path}`)).json();

/** Sends JSON. Of two headers with one name, in whatever spelling, the later counts. */
export function post(path, body, ...others) {
  const headers = new Headers({ 'content-type': 'application/json' });
  for (const [name, value] of others.flatMap((each) => Object.entries(each ?? {}))) headers.set(name, value);
  return fetch(`/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
}
