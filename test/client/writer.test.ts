import { afterEach, describe, expect, it, vi } from 'vitest';
import { createWriter, type WriterOptions } from '../../src/client/index.ts';
import { control, startBankGateway } from '../clients/bank-gateway.ts';

interface Input {
  readonly reference: string;
  readonly nin?: string;
  readonly type?: string;
}
interface Payload {
  readonly customer: { readonly id: string } | null;
  readonly userErrors: readonly { readonly message: string }[];
}
type Answer = Awaited<ReturnType<WriterOptions<Input, Payload>['send']>>;

const input = { reference: 'ref-1', nin: '00000000000' };
const person = {
  ...input,
  firstName: 'Ada',
  lastName: 'Example',
  dateOfBirth: '1990-01-31',
  bvn: '',
  phone: '+2340000000000',
  email: 'ada@example.com',
  type: 'wallet',
  collectionWalletId: 'wal_0001',
};
const done = { payload: { customer: { id: 'cus_1' }, userErrors: [] }, error: 'of a read below' };
const refused = { payload: { customer: null, userErrors: [{ message: 'm' }] } };
const errors = (...all: readonly object[]) => ({
  payload: null,
  error: { errors: all.map((one) => ({ message: 'm', ...one })) },
});
const failed = (code: string, more: object = {}) => errors({ extensions: { code, ...more } });
const unsent = { code: 'UNAUTHENTICATED' };
const passing = { code: 'UPSTREAM_UNAVAILABLE', retryable: true };
const lookup = { field: 'customers', by: ['reference'] };
const open = failed('OUTCOME_UNKNOWN', { retryable: false, lookup });
const broken = new TypeError('fetch failed');
const fail = (): never => {
  throw new Error('full');
};

function createStorage() {
  const entries = new Map<string, string>();
  return {
    entries,
    getItem: (name: string) => entries.get(name) ?? null,
    setItem: (name: string, value: string) => void entries.set(name, value),
    removeItem: (name: string) => void entries.delete(name),
  };
}

/** A writer to which the service gives these answers, one after the other; `reload` makes it anew over the same storage. */
function script(answers: readonly (Answer | Error)[], isNotSent: (error: unknown) => boolean = () => false) {
  const storage = createStorage();
  const keys: string[] = [];
  const send = async (_: Input, key: string) => {
    const answer = answers[keys.push(key) - 1];
    if (answer === undefined || answer instanceof Error) throw answer ?? broken;
    return answer;
  };
  const reload = () =>
    createWriter<Input, Payload>({ send, storage, name: 'w', remember: ['type', 'reference'], isNotSent });
  return { writer: reload(), reload, keys, storage };
}

describe('createWriter', () => {
  afterEach(() => void vi.restoreAllMocks());

  it.each([
    ['done', done],
    ['refused', refused],
    ['notSent', failed('UNAUTHENTICATED')],
    ['notSent', failed('UPSTREAM_UNAVAILABLE', { retryable: true })],
  ])('is %s, and takes a new key for the next write', async (is, answer) => {
    const { writer, keys } = script([answer, done]);
    expect(await writer.write(input)).toMatchObject(answer === done ? { is, ...done } : { is });
    expect(writer.pending()).toBeUndefined();
    await writer.write(input);
    expect(new Set(keys).size).toBe(2);
  });

  it.each([
    ['OUTCOME_UNKNOWN', open, false, lookup],
    ['INTERNAL_SERVER_ERROR', failed('INTERNAL_SERVER_ERROR'), true, undefined],
    ['UPSTREAM_UNAVAILABLE', failed('UPSTREAM_UNAVAILABLE', { retryable: false }), true, undefined],
    ['IDEMPOTENCY_KEY_REUSED', failed('IDEMPOTENCY_KEY_REUSED'), false, undefined],
    [
      'an unknown outcome beside an error that proves that nothing was sent',
      errors({ path: null, extensions: unsent }, { extensions: { code: 'OUTCOME_UNKNOWN', lookup } }),
      false,
      lookup,
    ],
    [
      'an error of a proxy beside one that proves that nothing was sent',
      errors({ path: ['createCustomer'], extensions: { code: 'DOWNSTREAM_SERVICE_ERROR' } }, { extensions: unsent }),
      true,
      undefined,
    ],
    [
      'an error of a read below the created record, from a client that drops the data',
      errors({ path: ['createCustomer', 'customer', 'balance'], extensions: passing }),
      true,
      undefined,
    ],
    ['a broken connection', broken, true, undefined],
  ])('is unknown after %s, with the lookup, and keeps its key over a reload', async (_, answer, canRepeat, lookup) => {
    const { writer, reload, keys, storage } = script([answer, done]);
    const values = { reference: 'ref-1' };
    expect(await writer.write(input)).toMatchObject({ is: 'unknown', canRepeat, values, lookup });
    expect(JSON.stringify([...storage.entries])).not.toContain(input.nin);
    expect(reload().pending()).toEqual({ values, lookup });
    expect(await reload().write(input)).toMatchObject({ is: 'done' });
    expect(new Set(keys).size).toBe(1);
    expect(storage.entries.size).toBe(0);
  });

  it('stays unknown while a later attempt proves nothing of an earlier one', async () => {
    const answers = [broken, failed('UNAUTHENTICATED'), refused, failed('IDEMPOTENCY_KEY_REUSED')];
    const { writer, keys } = script(answers);
    await writer.write(input);
    expect(await writer.write(input)).toMatchObject({ is: 'unknown', canRepeat: true });
    expect(await writer.write({ ...input, nin: '00000000001' })).toMatchObject({ is: 'refused' });
    const last = await writer.write({ ...input, nin: '00000000002' });
    expect(last).toMatchObject({ is: 'unknown', canRepeat: false, values: { reference: 'ref-1' } });
    expect(new Set(keys).size).toBe(1);
    writer.settle();
    await writer.write(input);
    expect(new Set(keys).size).toBe(2);
  });

  it.each([
    ['its remembered values differ from those of the open attempt', { reference: 'ref-2' }, 0],
    ['the open attempt is older than 48 hours', input, 48 * 3_600_000],
    ['the open attempt is of a later time: the clock was set back', input, -1],
  ])('sends nothing where %s, and names what to look up', async (_, next, passedMs) => {
    const { writer, keys } = script([open, done]);
    const now = Date.now();
    vi.spyOn(Date, 'now').mockReturnValue(now);
    await writer.write(input);
    vi.spyOn(Date, 'now').mockReturnValue(now + passedMs);
    const values = { reference: 'ref-1' };
    expect(await writer.write(next)).toEqual({ is: 'unknown', lookup, values, error: undefined, canRepeat: false });
    expect(keys).toHaveLength(1);
    writer.settle();
    expect(await writer.write(next)).toMatchObject({ is: 'done' });
    expect(new Set(keys).size).toBe(2);
  });

  /** A writer whose attempts are answered when the test says so. */
  function hold() {
    const attempts: { readonly key: string; readonly answer: (answer: Answer) => void }[] = [];
    const storage = createStorage();
    const send = (_: Input, key: string) =>
      new Promise<Answer>((answer) => {
        attempts.push({ key, answer });
      });
    const mount = () => createWriter<Input, Payload>({ send, storage, name: 'w', remember: ['reference'] });
    return { attempts, storage, mount };
  }

  it.each([
    ['done', done, undefined],
    ['unknown', failed('RATE_LIMITED'), false],
  ])('leaves the key of a later write when an attempt that was settled is %s', async (is, answer, canRepeat) => {
    const { attempts, storage, mount } = hold();
    const first = mount().write(input);
    mount().settle();
    const second = mount().write(input);
    const stored = storage.getItem('w');
    attempts[0]?.answer(answer);
    const result = await first;
    expect({ canRepeat: undefined, ...result }).toMatchObject({ is, canRepeat });
    expect(storage.getItem('w')).toBe(stored);
    attempts[1]?.answer(done);
    expect(await second).toMatchObject({ is: 'done' });
    expect(new Set(attempts.map(({ key }) => key)).size).toBe(2);
  });

  it.each(['{', '{"key":"k"}', '{"values":{"reference":"ref-1"},"startedAt":0}'])(
    'sends nothing while its entry in the storage is not its own: %s',
    async (text) => {
      const { writer, keys, storage } = script([done]);
      storage.setItem('w', text);
      expect(writer.pending()).toBeUndefined();
      expect(await writer.write(input)).toMatchObject({ is: 'notSent' });
      expect(keys).toEqual([]);
    },
  );

  it.each([
    ['unknown', broken, true],
    ['unknown', failed('RATE_LIMITED'), true],
    ['done', done, undefined],
  ])('tells that the write is %s where the storage fails after it was sent', async (is, answer, canRepeat) => {
    const storage = createStorage();
    const send = (): Promise<Answer> => {
      Object.assign(storage, { setItem: fail, removeItem: fail });
      if (answer instanceof Error) throw answer; // not a rejection
      return Promise.resolve(answer);
    };
    const writer = createWriter<Input, Payload>({ send, storage, name: 'w', remember: [] });
    // The stored entry stays, so the next attempt has its key.
    const result = await writer.write(input);
    expect({ canRepeat: undefined, ...result }).toMatchObject({ is, canRepeat });
  });

  it('believes the application when it says that an error of its own proves that nothing was sent', async () => {
    const { writer } = script([broken], (error) => error === broken);
    expect(await writer.write(input)).toEqual({ is: 'notSent', error: broken });
  });

  it('sends nothing when the key cannot be kept', async () => {
    const { reload, keys, storage } = script([done]);
    storage.setItem = fail;
    expect(await reload().write(input)).toMatchObject({ is: 'notSent' });
    expect(keys).toEqual([]);
  });

  it('registers once over a lost answer, a reload and a repeat at the real gateway', async () => {
    const { ask, bankUrl, calls } = await startBankGateway();
    const query = `mutation ($input: CreateCustomerInput!) { createCustomer(input: $input) { customer { id } userErrors { message } } }`;
    const send = async (input: object, idempotencyKey: string, isLost: boolean) => {
      const body = (await ask({ query, variables: { input: { ...input, idempotencyKey } } })) as {
        readonly data: { readonly createCustomer: Payload | null };
      };
      if (isLost) throw broken;
      return { payload: body.data.createCustomer, error: body };
    };
    const storage = createStorage();
    const writer = (isLost: boolean) =>
      createWriter<Input, Payload>({
        send: (input, key) => send(input, key, isLost),
        storage,
        name: 'w',
        remember: ['reference'],
      });
    expect(await writer(true).write(person)).toMatchObject({ is: 'unknown', canRepeat: true });
    expect(await writer(false).write(person)).toMatchObject({ is: 'done', payload: { userErrors: [] } });
    expect(await calls('createCustomer')).toBe(1);
    await control(bankUrl, 'faults', { operation: 'createCustomer', cut: 'after' });
    const unknown = await writer(false).write({ ...person, reference: 'ref-2' });
    expect(unknown).toMatchObject({ is: 'unknown', canRepeat: false, lookup, values: { reference: 'ref-2' } });
  });
});
