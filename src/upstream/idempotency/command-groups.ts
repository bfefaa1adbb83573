import { isOutcome, type SqliteCommand, type SqliteReply } from './sqlite-entries.ts';
import { claimTimeoutMs } from './store.ts';

/** A command that was sent to the thread. */
export interface Job {
  readonly id: number;
  readonly command: SqliteCommand;
  /** A moment of `process.hrtime`, which is the same in all threads. */
  readonly sentAt: bigint;
}

/** The reply to the command with that id. */
export type JobReply = readonly [id: number, reply: SqliteReply];

/** Maximum number of commands in a group: a group holds the file's lock, for which other processes wait. */
const maxGroupLength = 200;

/**
 * Runs commands in groups: all that have arrived while one ran are the next, and share its write to the disk. Outcomes
 * and claims take turns: an outcome waits five seconds for a lock, and a claim that has to wait is refused soon.
 */
export function createGroups(
  run: (commands: readonly SqliteCommand[]) => readonly SqliteReply[],
  /** The next command that has arrived. */
  receive: () => Job | undefined,
  reply: (replies: readonly JobReply[]) => void,
): () => void {
  const outcomes: Job[] = [];
  const others: Job[] = [];

  const receiveAll = (): boolean => {
    for (let job = receive(); job !== undefined; job = receive()) {
      (isOutcome(job.command) ? outcomes : others).push(job);
    }
    return outcomes.length + others.length > 0;
  };
  const runGroup = (waiting: Job[]): void => {
    const jobs = waiting.splice(0, maxGroupLength);
    if (jobs.length === 0) return;
    const inTime = jobs.filter((job) => !isLate(job));
    const replies = inTime.length === 0 ? [] : run(inTime.map(({ command }) => command));
    const answered = new Map(inTime.map(({ id }, index) => [id, replies[index]]));
    reply(jobs.map(({ id }): JobReply => [id, answered.get(id) ?? { fault: 'slow' }]));
  };
  return () => {
    while (receiveAll()) {
      runGroup(outcomes);
      receiveAll();
      runGroup(others);
    }
  };
}

/** The client already got the error that nothing was sent: the key must not be recorded now. */
function isLate({ command, sentAt }: Job): boolean {
  return command.name === 'claim' && Number(process.hrtime.bigint() - sentAt) / 1e6 > claimTimeoutMs;
}
