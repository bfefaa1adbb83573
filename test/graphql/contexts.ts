import { createContract } from '../../src/contract/contract.ts';
import { createContextFactory, createSenderReader, type Context } from '../../src/graphql/context.ts';
import type { ServiceCalls } from '../../src/upstream/calls/service-calls.ts';
import { createOperations } from '../../src/upstream/operations.ts';
import { passTraceOn } from '../../src/upstream/wire/trace-context.ts';

/** Makes the contexts of queries whose calls are answered by `read`, without HTTP. */
export function createContexts(read: ServiceCalls['read']): () => Context {
  const sender = createSenderReader({ bearerHeaderIn: 'authorization', privateKeyHeaderIn: 'svcprivatekey' }, () => ({
    fingerprint: 'caller',
    callers: { bearer: 'caller', privateKey: 'caller' },
  }))(() => undefined);
  const createContext = createContextFactory({
    operations: createOperations(createContract({ 'money.unit': 'major', 'money.currency': 'NGN' })),
    serviceCalls: { read, write: () => Promise.reject(new Error('queries do not write')) },
    startTrace: passTraceOn,
    requestTimeoutMs: 600_000,
  });
  return () =>
    createContext({
      requestId: 'r',
      method: 'POST',
      isRouter: false,
      showsCalls: false,
      showsRequests: false,
      sender,
      headers: () => undefined,
    });
}
