/** Loaded before a program (`node --import`): an error that nobody catches, at SIGUSR2. */
process.on('SIGUSR2', () => {
  throw new Error('planted');
});
