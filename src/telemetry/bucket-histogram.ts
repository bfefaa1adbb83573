import type { Metric, Registry } from 'prom-client';

export interface HistogramOptions {
  readonly name: string;
  readonly help: string;
  readonly label: string;
  /** Upper bounds, in ascending order. */
  readonly buckets: readonly number[];
}

export interface Histogram {
  readonly observe: (label: string, value: number) => void;
}

/** What was observed under one label. */
interface Observed {
  /** How many fell into each bucket and no lower one; behind the last, those above all bounds. */
  readonly counts: number[];
  sum: number;
}

/**
 * A histogram by one label. prom-client's own spells out labels and bounds as text at each value, this one when it is
 * asked for; the registry shows it like any of its own. Of labels it expects few, and ours.
 */
export function createHistogram(
  registry: Registry,
  { name, help, label: labelName, buckets }: HistogramOptions,
): Histogram {
  const observed = new Map<string, Observed>();
  const begin = (label: string): Observed => {
    const own = { counts: Array.from({ length: buckets.length + 1 }, () => 0), sum: 0 };
    observed.set(label, own);
    return own;
  };
  const valuesOf = ([label, { counts, sum }]: readonly [string, Observed]) => {
    const labels = { [labelName]: label };
    let count = 0;
    const inBuckets = counts.map((added, index) => {
      count += added;
      return { metricName: `${name}_bucket`, labels: { le: buckets[index] ?? '+Inf', ...labels }, value: count };
    });
    return [
      ...inBuckets,
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: count },
    ];
  };
  const shown = { name, help, type: 'histogram', aggregator: 'sum' };
  const metric = { ...shown, get: async () => ({ ...shown, values: [...observed].flatMap(valuesOf) }) };
  registry.registerMetric(metric as unknown as Metric); // all that the registry asks of one
  return {
    observe: (label, value) => {
      const own = observed.get(label) ?? begin(label);
      let bucket = 0;
      while (value > (buckets[bucket] ?? Infinity)) bucket += 1;
      own.counts[bucket] = (own.counts[bucket] ?? 0) + 1;
      own.sum += value;
    },
  };
}
