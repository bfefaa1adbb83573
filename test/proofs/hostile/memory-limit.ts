import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

/** A cgroup: the kernel kills what runs inside when all of it together holds more than the limit. */
export interface MemoryLimit {
  /** Words before a command that start it inside. */
  readonly launcher: readonly string[];
  /** Processes inside that the kernel has killed for want of memory. */
  readonly kills: () => number;
  /** The most memory held at a time. */
  readonly peakBytes: () => number;
}

interface Version {
  /** Folder of all cgroups that count memory. */
  readonly root: string;
  /** Limits in the order in which the kernel takes them. */
  readonly limits: readonly string[];
  readonly peak: string;
  readonly events: string;
}

const versions: readonly Version[] = [
  {
    root: '/sys/fs/cgroup/memory',
    limits: ['memory.limit_in_bytes', 'memory.memsw.limit_in_bytes'],
    peak: 'memory.max_usage_in_bytes',
    events: 'memory.oom_control',
  },
  { root: '/sys/fs/cgroup', limits: ['memory.max'], peak: 'memory.peak', events: 'memory.events' },
];
const removals = 200;

/** Makes a cgroup that is removed, with what still runs inside, when the test ends; says so in one line where none can be made. */
export function createMemoryLimit(bytes: number): MemoryLimit | undefined {
  const version = versions.find(({ root }) => existsSync(`${root}/cgroup.procs`));
  const limit = version === undefined ? undefined : createIn(version, bytes);
  if (limit === undefined)
    process.stdout.write('no memory cgroup can be made here: only resident memory is compared\n');
  return limit;
}

function createIn({ root, limits, peak, events }: Version, bytes: number): MemoryLimit | undefined {
  const folder = `${root}/settlement-graph-${process.pid}-${Date.now()}`;
  const read = (name: string): string => readFileSync(`${folder}/${name}`, 'utf8');
  const countKills = (): number => Number(/^oom_kill (\d+)$/m.exec(read(events))?.[1]);
  try {
    mkdirSync(folder);
    onTestFinished(() => remove(folder));
    // Without swap accounting there is no limit on memory and swap together.
    for (const name of limits.filter((file) => existsSync(`${folder}/${file}`))) {
      writeFileSync(`${folder}/${name}`, String(bytes));
    }
    if (!(Number(read(limits[0] ?? '')) <= bytes && countKills() === 0 && Number(read(peak)) >= 0)) return undefined;
  } catch {
    return undefined; // not ours to write, or a kernel that does not count this
  }
  // The shell enters, and then becomes the command.
  const launcher = ['sh', '-c', 'echo $$ > "$0" && exec "$@"', `${folder}/cgroup.procs`];
  return { launcher, kills: countKills, peakBytes: () => Number(read(peak)) };
}

/** A cgroup can be removed once nothing runs inside, and a process that was killed needs a moment to end. */
async function remove(folder: string): Promise<void> {
  for (let attempt = 0; attempt < removals; attempt += 1) {
    for (const pid of readFileSync(`${folder}/cgroup.procs`, 'utf8').split('\n').filter(Boolean)) kill(Number(pid));
    try {
      rmdirSync(folder);
      return;
    } catch {
      await delay(25);
    }
  }
  throw new Error(`${folder} could not be removed`);
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
