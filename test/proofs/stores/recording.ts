import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from '../../support/folder.ts';
import { readSamples, type Samples } from '../../support/samples.ts';

const intervalMs = 1_000;
const alerts = join(import.meta.dirname, '../../../deploy/alerts.yaml');

export interface Recording {
  /** What was scraped, a second apart. */
  readonly scrapes: readonly Samples[];
  readonly stop: () => Promise<void>;
}

/** Scrapes a process every second, as Prometheus would. */
export function recordMetrics(scrape: () => Promise<string>): Recording {
  const scrapes: Samples[] = [];
  const stopping = new AbortController();
  const work = async (): Promise<void> => {
    const startedAt = performance.now();
    while (!stopping.signal.aborted) {
      scrapes.push(readSamples(await scrape()));
      await delay(Math.max(0, startedAt + scrapes.length * intervalMs - performance.now()));
    }
  };
  const working = work();
  const stop = async (): Promise<void> => {
    stopping.abort();
    await working;
  };
  onTestFinished(stop);
  return { scrapes, stop };
}

const run = promisify(execFile);

/**
 * Has promtool evaluate deploy/alerts.yaml second by second on the recording. Throws, with what promtool found, unless
 * exactly these alerts fire at its end.
 */
export async function requireFiring({ scrapes }: Pick<Recording, 'scrapes'>, firing: readonly string[]): Promise<void> {
  const folder = await temporaryFolder();
  const names = [...new Set(scrapes.flatMap((samples) => [...samples.keys()]))];
  const series = names.map((name) => ({
    series: name.includes('{') ? name.replace('{', '{instance="a",') : `${name}{instance="a"}`,
    values: scrapes.map((samples) => samples.get(name) ?? '_').join(' '),
  }));
  const up = { series: 'up{job="settlement-graph",instance="a"}', values: `1x${scrapes.length - 1}` };
  const test = {
    interval: '1s',
    input_series: [...series, up],
    promql_expr_test: [
      {
        eval_time: `${scrapes.length - 1}s`,
        expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
        exp_samples: firing.map((name) => ({ labels: `{alertname="${name}"}`, value: 1 })),
      },
    ],
  };
  const file = join(folder, 'recording.json');
  await writeFile(file, JSON.stringify({ rule_files: [alerts], evaluation_interval: '1s', tests: [test] }));
  await run('promtool', ['test', 'rules', file]);
}
