/** Samples of Prometheus' text format, by name with labels as they stand there. */
export type Samples = ReadonlyMap<string, number>;

export function readSamples(text: string): Samples {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ');
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}

/** The sample's value; 0 where there is none. */
export function valueOf(samples: Samples, name: string): number {
  return samples.get(name) ?? 0;
}
