import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTrustedAuthority, type Certified } from '../../support/certificates.ts';
import { documentOf, runCells, type Expectation } from './fault-cell.ts';
import { startBystander } from '../../support/upstream/fault-upstream.ts';
import { faults, healthy, type FaultName } from './faults.ts';
import { codes, query, startGateway } from '../../support/gateway.ts';
import { bytesInUse } from '../memory.ts';
import { freeUrl } from '../../support/ports.ts';
import { probes } from './probes.ts';
import { record } from '../evidence.ts';

/** Another try would bring the same answer. */
const unreadable: Expectation = { read: 'UPSTREAM_INVALID_RESPONSE', write: 'OUTCOME_UNKNOWN', reads: 1 };
const broken: Expectation = { read: 'UPSTREAM_UNAVAILABLE', write: 'OUTCOME_UNKNOWN' };
const late: Expectation = { read: 'UPSTREAM_TIMEOUT', write: 'OUTCOME_UNKNOWN' };
const answered: Expectation = { read: 'answered', write: 'answered' };

/** What a client must be told of each fault. */
const expectations: Readonly<Record<FaultName, Expectation>> = {
  'a reset before the answer': broken,
  'a reset in the middle of the body': broken,
  'half a body that ends with its connection': unreadable,
  'a body shorter than announced': broken,
  'a body longer than announced': unreadable,
  'a chunk without a length': unreadable,
  'something that is not HTTP': unreadable,
  'a page of HTML': unreadable,
  'an empty 200': unreadable,
  'half a JSON text': unreadable,
  'JSON that is nested 10,000 deep': unreadable,
  'keys that name a prototype': answered,
  'a key that comes twice': answered,
  'a number beyond any float': { read: 'spoiled', write: 'spoiled' },
  'a gzip bomb': unreadable,
  'a body without an end': unreadable,
  'one byte a second': late,
  'a redirect to another host': unreadable,
  'early hints without an end': late,
  'calls to go on without an end': broken,
  'a 204': unreadable,
  'a 408': late,
  'a 429 that asks for two minutes': { read: 'RATE_LIMITED', write: 'RATE_LIMITED', reads: 1, retryAfterSeconds: 120 },
  'a 500': broken,
  'a 503 once': { read: 'answered', write: 'OUTCOME_UNKNOWN', reads: 2 },
  'no answer': late,
};

const rows = Object.entries(expectations) as [FaultName, Expectation][]; // entries forgets the names
const objectKeys = Object.getOwnPropertyNames(Object.prototype);
const bytesAtStart = bytesInUse();
const maxGrowthBytes = 64 * 1024 * 1024;
let cells = 0;
let wrong = 0;
const certificates: { http: undefined; https: Certified | undefined } = { http: undefined, https: undefined };
const rejections: unknown[] = [];
process.on('unhandledRejection', (reason) => void rejections.push(reason));

afterAll(() => {
  const size = `${probes.length} × ${rows.length}, over http and https`;
  record('Every operation met by every fault', `${size}: ${cells} cells, ${wrong} of them wrong`);
});

beforeAll(async () => {
  const authority = await createTrustedAuthority();
  certificates.https = await authority.sign();
});

describe.each(['http', 'https'] as const)('each of the thirteen operations over %s', (scheme) => {
  it('answers what the service says while nothing is wrong', async () => {
    const found = await runCells(probes, healthy, answered, 'http://nowhere.example', certificates[scheme]);
    expect(found.map(({ outcome }) => outcome)).toEqual(found.map(({ expected }) => expected));
    expect(found).toHaveLength(13);
  });

  it.each(rows)('tells %s for what it is, in its own slot alone', async (name, expectation) => {
    const bystander = await startBystander();
    const found = await runCells(probes, faults[name], expectation, bystander.url, certificates[scheme]);
    cells += found.length;
    wrong += found.filter(({ outcome, expected }) => !isDeepStrictEqual(outcome, expected)).length;
    expect(found.map(({ operation, outcome }) => ({ operation, outcome }))).toEqual(
      found.map(({ operation, expected }) => ({ operation, outcome: expected })),
    );
    expect(bystander.connections()).toBe(0);
  });
});

describe('each of the thirteen operations', () => {
  it.each(probes)('is UPSTREAM_UNAVAILABLE and may be repeated where nothing listens: $operation', async (probe) => {
    const gateway = await startGateway({ upstream: await freeUrl() });
    const answer = await query(gateway, documentOf(probe));
    expect(answer.status).toBe(200);
    expect(codes(answer)).toEqual(['UPSTREAM_UNAVAILABLE', 'UPSTREAM_UNAVAILABLE']);
    expect(answer.errors.map(({ extensions }) => extensions['retryable'])).toEqual([true, true]);
    expect(Object.values(answer.data)).toEqual([null, null]);
  });
});

describe('after all of them', () => {
  it('no prototype has changed', () => {
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(objectKeys);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  it('no rejection was left unhandled', () => {
    expect(rejections).toEqual([]);
  });

  it('no answer is still held in memory', () => {
    expect(bytesInUse() - bytesAtStart).toBeLessThan(maxGrowthBytes);
  });
});
