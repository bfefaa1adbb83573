import type { GatewayServer } from '../../src/server.ts';
import { credentials, query, startStored, type GatewayOptions, type GraphQLAnswer } from './gateway.ts';
import { success, type Reply, type SeenRequest } from './upstream/upstream.ts';

const createDocument = `mutation ($input: CreateCustomerInput!) {
  createCustomer(input: $input) { customer { id reference } userErrors { code } }
}`;

export interface CreateOptions {
  /** The key in the input; left out where it is undefined. */
  readonly key?: string | null | undefined;
  readonly input?: Readonly<Record<string, unknown>>;
  /** Over the default credentials. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Creates a customer, by default `ref-1`. */
export function createCustomer(
  gateway: Pick<GatewayServer, 'url'>,
  { key, input = { reference: 'ref-1' }, headers = {} }: CreateOptions = {},
): Promise<GraphQLAnswer> {
  return query(gateway, createDocument, {
    variables: { input: { ...input, ...(key === undefined ? {} : { idempotencyKey: key }) } },
    headers: { ...credentials, ...headers },
  });
}

export function postsOf(requests: readonly SeenRequest[]): readonly SeenRequest[] {
  return requests.filter(({ method }) => method === 'POST');
}

/** Answers each request with a record of its own: c1, c2, … and the reference it was sent. */
export function numbered(): (request: SeenRequest) => Reply {
  let count = 0;
  return ({ body }) => {
    count += 1;
    return success({ ...(body === '' ? {} : (JSON.parse(body) as object)), id: `c${count}` }, 201);
  };
}

/** A gate that answers wait at until the test opens it, and how many wait there. */
export function createGate() {
  const { promise: opened, resolve: open } = Promise.withResolvers<undefined>();
  const { promise: reached, resolve: reach } = Promise.withResolvers<undefined>();
  return {
    pass: async (): Promise<void> => {
      reach(undefined);
      await opened;
    },
    /** Resolves when the first answer waits. */
    reached,
    open: () => open(undefined),
  };
}

/** A gateway whose service answers nothing before the gate is open; by default a new record. */
export async function startGated(
  options: Omit<GatewayOptions, 'upstream'> = {},
  answer: (request: SeenRequest) => Reply = () => success({ id: 'c1' }, 201),
) {
  const gate = createGate();
  const started = await startStored(async (request) => {
    await gate.pass();
    return answer(request);
  }, options);
  return { ...started, gate };
}

/** A question for so many customers, each read by a call of its own. */
export function readMany(count: number, mark = 'c'): [document: string, options: { readonly variables: unknown }] {
  const of = Array.from({ length: count }, (_, index) => ({ __typename: 'Customer', id: `${mark}${index}` }));
  const document = 'query ($of: [_Any!]!) { _entities(representations: $of) { ... on Customer { type } } }';
  return [document, { variables: { of } }];
}
