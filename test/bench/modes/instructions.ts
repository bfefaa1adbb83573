import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createSender } from '../load.ts';
import { median } from '../../support/median.ts';
import { isInstalled, stop } from '../programs.ts';
import { questions, type Question } from '../questions.ts';
import { printTable, spread } from '../report.ts';
import { startGateway, startHandWritten } from '../services.ts';
import { startUpstream } from '../upstream.ts';
import { selectNamed, type Bench } from './mode.ts';

const run = promisify(execFile);
const connections = 8;
/** After so many calls V8 has compiled what is busy: the smallest question takes some 25,000 requests. */
const warmUpCalls = 50_000;
/** Several collections of young objects are in so many. */
const countedCalls = 10_000;
/** V8 may compile something once more in the midst of one. */
const counts = 3;

/**
 * Instructions of one request outside the kernel, counted by callgrind: what nothing else on the machine can change. It
 * takes a quarter of an hour a question. What timers do weighs more than it does, since they run by the clock and a
 * process that is counted is slow: a few percent of the smallest question.
 */
export async function runInstructions(bench: Bench): Promise<void> {
  if (!isInstalled('valgrind')) {
    console.log('not counted: there is no valgrind');
    return;
  }
  const upstream = await startUpstream(bench.folder);
  const rows: (readonly string[])[] = [];
  for (const question of selectNamed(questions, bench.options.only)) {
    const gateway = await countOf(bench, upstream.url, question, 'gateway');
    const byHand = await countOf(bench, upstream.url, question, 'hand-written');
    rows.push([question.name, spread(gateway, 0), spread(byHand, 0), (median(gateway) / median(byHand)).toFixed(2)]);
  }
  printTable(['thousands of instructions a request (lowest–highest)', 'gateway', 'by hand', 'ratio'], rows);
}

/** Thousands of instructions a request, of each count. */
async function countOf(
  { folder, options }: Bench,
  upstream: string,
  question: Question,
  name: 'gateway' | 'hand-written',
): Promise<readonly number[]> {
  const counted = options.profile ?? folder;
  mkdirSync(counted, { recursive: true });
  const file = join(counted, `${question.calls}-${name}.callgrind`);
  const wrapper = ['valgrind', '--tool=callgrind', '--smc-check=all-non-file', `--callgrind-out-file=${file}`];
  const begin = name === 'gateway' ? startGateway : startHandWritten;
  const { pid, targetOf } = await begin({ folder, upstream, wrapper });
  // The same connections throughout: those that a load leaves in the midst of have V8 compile code anew.
  const { send, close } = createSender(targetOf(question), connections);
  const ask = async (times: number): Promise<void> => {
    let left = times;
    const askInTurn = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        await send();
      }
    };
    await Promise.all(Array.from({ length: connections }, askInTurn));
  };
  await ask(Math.ceil(warmUpCalls / question.calls));
  const requests = Math.ceil(countedCalls / question.calls);
  const thousands: number[] = [];
  for (let count = 1; count <= counts; count += 1) {
    await run('callgrind_control', ['--zero', String(pid)]);
    await ask(requests);
    await run('callgrind_control', ['--dump', String(pid)]);
    thousands.push(instructionsIn(`${file}.${count}`) / requests / 1000);
  }
  await close();
  await stop(pid);
  return thousands;
}

function instructionsIn(file: string): number {
  const text = readFileSync(file, 'utf8');
  const names = /^events: (.*)$/m.exec(text)?.[1]?.split(' ') ?? [];
  const totals = /^totals: (.*)$/m.exec(text)?.[1]?.split(' ').map(Number) ?? [];
  return totals[names.indexOf('Ir')] ?? Number.NaN;
}
