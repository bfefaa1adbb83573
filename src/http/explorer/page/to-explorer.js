// On the page of Apollo Sandbox: goes on to the explorer where Sandbox' script cannot be loaded, or does not come.
const patienceMs = 4_000;
const goOn = () => window.location.replace('/explorer');
const isSandbox = (target) => target instanceof HTMLScriptElement && target.src.startsWith('https:');

window.addEventListener('error', ({ target }) => isSandbox(target) && goOn(), true);
setTimeout(() => window.EmbeddedSandbox === undefined && goOn(), patienceMs);
