import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openVendorFile, type Import } from '../../../src/contract-tools/import/import.ts';
import {
  createContract,
  idField,
  pathTemplate,
  type Contract,
  type OperationName,
} from '../../../src/contract/contract.ts';
import type { WriteName } from '../../../src/contract/operation-rows.ts';

/** One exchange with a running service, as a vendor saves it. */
interface Sample {
  readonly name: string;
  readonly status: number;
  readonly body: unknown;
}

interface Documented {
  readonly operation: OperationName;
  readonly title: string;
  readonly method: string;
  readonly path: string;
  readonly headers: readonly string[];
  readonly query: readonly string[];
  readonly body: Readonly<Record<string, unknown>> | undefined;
  /** The properties of the body that the service wants. */
  readonly required: readonly string[];
  readonly mediaType: string;
  readonly samples: readonly Sample[];
}

/** Names as the published interface words them. */
const titles: Readonly<Record<OperationName, string>> = {
  storeSettlementBank: 'Store Settlement Bank',
  updateSettlementBank: 'Update Settlement Banks',
  getSettlementBank: 'Single Settlement Banks',
  listSettlementBanks: 'Settlement Banks List',
  createCustomer: 'Create Customer',
  updateCustomer: 'Update Customer',
  getCustomer: 'Fetch Single Customer',
  getCustomerBalance: 'Fetch Balance',
  listCustomerTransactions: 'Fetch Customer Transactions',
  listCustomerVirtualAccounts: 'Fetch Customer Virtual Accounts',
  createCustomerVirtualAccount: 'Create Customer Virtual Account',
  createCustomerOneTimeAccount: 'Create Customer One-Time Account',
  listCustomers: 'Customers List',
};

/** Inputs of the writes, by field; obviously fake. */
const customer = {
  firstName: 'Ada',
  lastName: 'Example',
  nin: '00000000000',
  dateOfBirth: '1990-01-31',
  bvn: '',
  phone: '+2340000009998',
  email: 'ada-import@example.com',
  reference: 'import-1',
  type: 'wallet',
  collectionWalletId: 'wal_0001',
};
const bank = { name: 'Import', accountNumber: '0123456788', accountName: 'Demo', bankCode: '044', bankSlug: 'import' };

const credentials = {
  bearer: ['Authorization', 'Bearer demo-token'],
  privateKey: ['SVCPRIVATEKEY', 'demo-key'],
} as const;

/** Asks a running service what a vendor's file would show of it. The contract says how to ask; nothing else is used of it. */
export async function documentService(
  url: string,
  overrides: Readonly<Record<string, unknown>>,
): Promise<readonly Documented[]> {
  const contract = createContract(overrides);
  const amount = contract['money.unit'] === 'minor' ? '150050' : '1500.50';
  const inputs: Readonly<Record<WriteName, Readonly<Record<string, unknown>>>> = {
    storeSettlementBank: bank,
    updateSettlementBank: { ...bank, accountNumber: '0123456787' },
    createCustomer: customer,
    updateCustomer: { ...customer, reference: 'import-2' },
    createCustomerVirtualAccount: {},
    createCustomerOneTimeAccount: {
      amount: contract['createCustomerOneTimeAccount.amountAs'] === 'number' ? Number(amount) : amount,
    },
  };
  const idOf = async (list: 'listCustomers' | 'listSettlementBanks'): Promise<string> => {
    const { body } = await ask(contract, url, list, '', undefined);
    return /"id":\s*"?([^",]+)/.exec(JSON.stringify(body))?.[1] ?? '';
  };
  const ids = { customer: await idOf('listCustomers'), bank: await idOf('listSettlementBanks') };
  const documented: Documented[] = [];
  // Dialect two has its accounts inside the customer, and no operation for them.
  const hasAccounts = contract['customer.virtualAccounts'].length === 0;
  for (const operation of Object.keys(titles) as OperationName[]) {
    if (operation === 'listCustomerVirtualAccounts' && !hasAccounts) continue;
    const isWrite = Object.hasOwn(inputs, operation);
    const body = isWrite ? toBody(contract, operation as WriteName, inputs[operation as WriteName]) : undefined;
    const id = operation.includes('Bank') ? ids.bank : ids.customer;
    const isOfRecord = pathTemplate(contract, operation).includes('{id}') || idField(contract, operation) !== null;
    const asked = [['Done', id], ...(isOfRecord ? [['Record not found', '999999']] : [])];
    const samples: Sample[] = [];
    for (const [name = '', identifier = ''] of asked)
      samples.push({ name, ...(await ask(contract, url, operation, identifier, body)) });
    if (operation === 'createCustomer') {
      samples.push({ name: 'Duplicate reference', ...(await ask(contract, url, operation, '', body)) });
      const invalid = toBody(contract, operation, { ...customer, nin: '1' });
      samples.push({ name: 'Invalid fields', ...(await ask(contract, url, operation, '', invalid)) });
    }
    if (operation === 'listCustomers')
      samples.push({ name: 'Invalid token', ...(await ask(contract, url, operation, '', undefined, 'wrong')) });
    documented.push({
      operation,
      title: titles[operation],
      method: contract[`${operation}.method`],
      path: pathTemplate(contract, operation).replace(/\?.*/, ''),
      headers: contract[`${operation}.credentials`].map((name) => credentials[name][0]),
      query: [...queryOf(pathTemplate(contract, operation)), ...parametersOf(contract, operation)],
      body: withIdentifier(contract, operation, body, 'made-up'),
      mediaType: contract['service.contentType'],
      required: isWrite ? requiredBy(contract, operation as WriteName) : [],
      samples,
    });
  }
  return documented;
}

async function ask(
  contract: Contract,
  url: string,
  operation: OperationName,
  id: string,
  body: unknown,
  wrong = '',
): Promise<{ status: number; body: unknown }> {
  const headers = contract[`${operation}.credentials`].map((name) => [
    credentials[name][0],
    credentials[name][1] + wrong,
  ]);
  const method = contract[`${operation}.method`];
  const sent = method === 'GET' ? undefined : withIdentifier(contract, operation, body as Fields | undefined, id);
  const response = await fetch(url + pathTemplate(contract, operation).replace('{id}', id), {
    method,
    headers: { ...Object.fromEntries(headers), 'content-type': contract['service.contentType'] },
    ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
}

type Fields = Readonly<Record<string, unknown>>;

/** A body with the identifier, where it stands there; a read by POST has a body of nothing else. */
function withIdentifier(
  contract: Contract,
  operation: OperationName,
  body: Fields | undefined,
  id: string,
): Fields | undefined {
  const field = idField(contract, operation);
  if (field !== null) return { [field]: id, ...body };
  return contract[`${operation}.method`] === 'POST' ? (body ?? {}) : body;
}

function toBody(
  contract: Contract,
  operation: WriteName,
  input: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const names: Readonly<Record<string, string>> = contract[`${operation}.body`];
  const fields = Object.fromEntries(Object.entries(input).map(([field, value]) => [names[field] ?? field, value]));
  const wrapper = contract[`${operation}.wrapper`];
  if (wrapper === null) return fields;
  const steps = wrapper.startsWith('/') ? wrapper.slice(1).split('/') : [wrapper];
  const [outer = '', ...inner] = steps;
  const nested = inner.reduceRight<unknown>((value, step) => ({ [step]: value }), fields);
  // The dialects' constants stand inside the outer wrapper.
  const constants = Object.entries(contract[`${operation}.constants`]).map(([at, value]) => [
    at.split('/').at(-1),
    value,
  ]);
  return { [outer]: { ...Object.fromEntries(constants), ...(nested as Fields) } };
}

function requiredBy(contract: Contract, operation: WriteName): readonly string[] {
  const names: Readonly<Record<string, string>> = contract[`${operation}.body`];
  return contract[`${operation}.required`].map((field) => names[field] ?? field);
}

function queryOf(path: string): readonly string[] {
  return [...new URLSearchParams(path.split('?')[1] ?? '').keys()];
}

function parametersOf(contract: Contract, operation: OperationName): readonly string[] {
  if (!operation.startsWith('list')) return [];
  const list = operation as keyof typeof filters;
  const style = contract[`${list}.pageStyle`];
  const size = (style === 'page' ? contract['lists.perPage'] : contract['lists.limit']) ?? '';
  const filter = filters[list];
  const named = filter === undefined ? null : contract[filter];
  return [
    ...(style === 'none' || style === 'undecided' ? [] : [contract[`lists.${style}`], size]),
    ...(named === null ? [] : [named]),
  ];
}

const filters = {
  listCustomers: 'listCustomers.search',
  listSettlementBanks: 'listSettlementBanks.search',
  listCustomerTransactions: 'listCustomerTransactions.type',
  listCustomerVirtualAccounts: undefined,
} as const;

/** The file as a Postman collection 2.1: folders, a variable for the base, `:id`. */
export function toPostman(documented: readonly Documented[], baseUrl = 'https://payments.example.com'): unknown {
  const folder = (name: string, isBank: boolean) => ({
    name,
    item: documented.filter(({ operation }) => operation.includes('Bank') === isBank).map(toRequest),
  });
  return {
    info: { name: 'Payments', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    item: [folder('Settlement banks', true), folder('Customers', false)],
    variable: [{ key: 'base_url', value: baseUrl }],
  };
}

function toRequest({ title, method, path, headers, query, body, mediaType, samples }: Documented): unknown {
  const raw = `{{base_url}}${path.replace('{id}', ':id')}`;
  return {
    name: title,
    request: {
      method,
      header: [
        ...headers.map((key) => ({ key, value: '{{secret}}' })),
        ...(body === undefined ? [] : [{ key: 'Content-Type', value: mediaType }]),
      ],
      url: { raw: `${raw}?page=1`, query: query.map((key) => ({ key, value: '1' })) },
      ...(body === undefined ? {} : { body: { mode: 'raw', raw: JSON.stringify(body, null, 2) } }),
    },
    response: samples.map(({ name, status, body: sample }) => ({ name, code: status, body: JSON.stringify(sample) })),
  };
}

/** The file as OpenAPI 3.1, with every record behind a `$ref`; `samples` or, without them, schemas of the samples. */
export function toOpenApi(documented: readonly Documented[], kind: 'samples' | 'schemas'): unknown {
  const schemas: Record<string, unknown> = {};
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { operation, title, method, path, headers, query, body, mediaType, required, samples } of documented) {
    schemas[`${operation}Answer`] = schemaOf(samples[0]?.body);
    schemas[`${operation}Body`] = Object.assign({}, schemaOf(body), required.length > 0 && { required });
    (paths[path] ??= {})[method.toLowerCase()] = {
      operationId: operation,
      summary: title,
      security: [Object.fromEntries(headers.map((name) => [name, []]))],
      parameters: query.map((name) => ({ name, in: 'query', schema: { type: 'string' } })),
      ...(body === undefined
        ? {}
        : {
            requestBody: {
              content: { [mediaType]: { schema: { $ref: `#/components/schemas/${operation}Body` } } },
            },
          }),
      responses: responsesOf(operation, samples, kind),
    };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Payments', version: '1' },
    servers: [{ url: 'https://payments.example.com' }],
    paths,
    components: {
      schemas,
      securitySchemes: {
        Authorization: { type: 'http', scheme: 'bearer' },
        SVCPRIVATEKEY: { type: 'apiKey', in: 'header', name: 'SVCPRIVATEKEY' },
      },
    },
  };
}

/** Each status with its samples by name, or the answer of a success by its schema alone. */
function responsesOf(operation: OperationName, samples: readonly Sample[], kind: 'samples' | 'schemas'): unknown {
  const schema = { $ref: `#/components/schemas/${operation}Answer` };
  if (kind === 'schemas') return { 200: { content: { 'application/json': { schema } } } };
  const examplesOf = (status: number) =>
    Object.fromEntries(
      samples.filter((each) => each.status === status).map(({ name, body: value }) => [name, { value }]),
    );
  return Object.fromEntries(
    samples.map(({ status }) => [
      status,
      { content: { 'application/json': { schema, examples: examplesOf(status) } } },
    ]),
  );
}

/** A schema without examples, with formats where vendors write them. */
function schemaOf(value: unknown): unknown {
  if (Array.isArray(value)) return { type: 'array', items: schemaOf(value[0]) };
  if (value === null) return { type: ['string', 'null'] };
  if (typeof value === 'string')
    return /^\d{4}-\d\d-\d\d[T ]/.test(value) ? { type: 'string', format: 'date-time' } : { type: 'string' };
  if (typeof value !== 'object') return { type: typeof value };
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(value ?? {}).map(([name, inner]) => [name, schemaOf(inner)])),
  };
}

/** Documents a service while it runs, and imports the file that is made of that. */
export async function importService(
  start: () => Promise<{ readonly url: string; readonly close: () => Promise<void> }>,
  overrides: Readonly<Record<string, unknown>>,
  toFile: (documented: readonly Documented[]) => unknown,
  mappings?: readonly string[],
): Promise<Import> {
  const { url, close } = await start();
  try {
    return await importText(JSON.stringify(toFile(await documentService(url, overrides))), mappings);
  } finally {
    await close();
  }
}

/** Imports a file with this text, and what a person has settled of it. */
export async function importText(text: string, mappings: readonly string[] = []): Promise<Import> {
  const folder = mkdtempSync(join(tmpdir(), 'import-'));
  try {
    const file = join(folder, 'vendor-file');
    writeFileSync(file, text);
    return await (await openVendorFile(file)).import(mappings);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Imports an OpenAPI document of these paths, at the server https://a.example unless `rest` says otherwise. */
export function importPaths(paths: object, rest: object = {}, mappings: readonly string[] = []): Promise<Import> {
  return importText(
    JSON.stringify({ openapi: '3.0.3', servers: [{ url: 'https://a.example' }], paths, ...rest }),
    mappings,
  );
}

/** Imports a Postman collection of these requests: name, method, address, and what else each has. */
export function importRequests(
  requests: readonly (readonly [name: string, method: string, url?: string, rest?: object])[],
  rest: object = {},
): Promise<Import> {
  const info = { schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' };
  const item = requests.map(([name, method, url, more]) => ({ name, request: { method, url, ...more }, ...more }));
  return importText(JSON.stringify({ info, item, ...rest }));
}

/** The operations that a file was found to have, as `GET /customers/{id}`, with their certainty. */
export function endpointsOf({ operations }: Import): Readonly<Record<string, string>> {
  const found = operations.filter(({ path }) => path !== undefined);
  return Object.fromEntries(
    found.map(({ operation, certainty, method, path }) => [operation, `${certainty}: ${method} ${path}`]),
  );
}
