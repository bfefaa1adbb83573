import { describe, expect, it } from 'vitest';
import { createLogger } from '../../src/log.ts';
import { captureLog } from '../support/log.ts';
import { startCommand } from '../support/process.ts';

describe('a log line', () => {
  it('is JSON with its level, time, fields and message', () => {
    const { log, lines } = captureLog();
    const before = Date.now();
    log.info({ requestId: 'r1', calls: 2, code: undefined }, 'request');
    log.error('no fields');
    const [line = '', bare = ''] = lines;
    const { time, ...told } = JSON.parse(line) as { readonly time: string };
    expect(told).toEqual({ level: 30, requestId: 'r1', calls: 2, msg: 'request' });
    expect(new Date(time).toISOString()).toBe(time);
    expect(Date.parse(time)).toBeGreaterThanOrEqual(before);
    expect(JSON.parse(bare)).toMatchObject({ level: 50, msg: 'no fields' });
  });

  it('is one line, whatever its texts hold', () => {
    const { log, lines } = captureLog();
    const text = 'a"b\\c\nd\u2028\ud800é☃';
    log.warn({ text }, text);
    expect(lines[0]?.match(/\n/g)).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ text: JSON.parse(JSON.stringify(text)), msg: text });
  });

  it('is written at its level and above only', () => {
    const { log, lines } = captureLog('warn');
    log.info({}, 'too little');
    log.warn({}, 'enough');
    expect(lines).toHaveLength(1);
    expect(() => createLogger('loud')).toThrow('level');
  });

  it.each(['process.exit(3)', 'process.exitCode = 3'])('is written before the process ends by %s', async (end) => {
    const program = `
      import { createLogger } from './src/log.ts';
      const log = createLogger('info');
      for (let index = 0; index < 100; index += 1) log.info({ index, text: '\u2603'.repeat(50) }, 'line');
      ${end}`;
    const run = startCommand('node', ['--input-type=module', '--eval', program]);
    expect(await run.exited).toBe(3);
    const told = run
      .output()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly index: number });
    expect(told.map(({ index }) => index)).toEqual(Array.from({ length: 100 }, (_, index) => index));
    expect(told[99]).toMatchObject({ text: '☃'.repeat(50) });
  });
});
