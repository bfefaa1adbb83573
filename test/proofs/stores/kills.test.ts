import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../support/folder.ts';
import { killAndRestart, startJournal } from './kills.ts';
import { record, scaled } from '../evidence.ts';

/** Gateways that live and die beside each other, each with a store of its own. */
const pairs = 4;

it('creates nothing twice and tells no outcome that the service contradicts, however often it is killed', async () => {
  const rounds = Math.ceil(scaled(200) / pairs);
  const journal = await startJournal();
  const folder = await temporaryFolder();
  const runs = await Promise.all(
    Array.from({ length: pairs }, (_, index) =>
      killAndRestart(
        journal,
        { IDEMPOTENCY_STORE: `sqlite:${join(folder, `keys-${index}.sqlite`)}` },
        `pair${index}`,
        rounds,
      ),
    ),
  );
  const sum = (name: 'kills' | 'creates' | 'interrupted' | 'unknown' | 'unknownInVain') =>
    runs.reduce((all, run) => all + run[name], 0);
  const twice = [...journal.journal.keys()].filter((reference) => journal.recordsOf(reference) > 1);
  const contradictions = runs.flatMap((run) => run.contradictions);
  record(
    'kill -9 of gateways under creates with keys',
    `${sum('kills')} kills, ${sum('creates')} creates, ${sum('interrupted')} interrupted, ${sum('unknown')} OUTCOME_UNKNOWN (${sum('unknownInVain')} of what was not done): ${twice.length} recorded twice, ${contradictions.length} contradicted`,
  );
  expect(twice).toEqual([]);
  expect(contradictions).toEqual([]);
  expect(sum('kills')).toBe(rounds * pairs);
  expect(sum('interrupted')).toBeGreaterThan(0);
}, 600_000);
