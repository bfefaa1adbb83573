// On the page of Apollo Sandbox: goes on to the explorer where Sandbox' script cannot be loaded, or does not come.
const goOn = () => window.EmbeddedSandbox ?? window.location.replace('/explorer');
window.addEventListener('error', ({ target }) => target.src && goOn(), true);
setTimeout(goOn, 4_000);
