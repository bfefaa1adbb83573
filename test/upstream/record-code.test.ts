import { anything, assert, constantFrom, dictionary, oneof, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createContract } from '../../src/contract/contract.ts';
import { createDecoders, recordDecoder } from '../../src/upstream/decoding/field-decoders.ts';
import { GatewayError } from '../../src/domain/errors.ts';

const names = [
  'id',
  'uuid',
  'first_name',
  'given',
  'constructor',
  'born',
  'made',
  '"], evil: ["',
  'a\u2028b',
  '__proto__',
];
const contract = createContract({
  'customer.id': ['/id', '/uuid'],
  'customer.firstName': ['/first_name', '/given', '/"], evil: ["'],
  'customer.lastName': ['/constructor'],
  'customer.email': ['/made/by'],
  'customer.phone': ['/a\u2028b'],
  'customer.status': ['/__proto__'],
  'customer.dateOfBirth': ['/born'],
  'customer.createdAt': ['/made'],
});
const { identifier, text, date, dateTime } = createDecoders(contract);
const fields = {
  id: identifier('customer.id'),
  firstName: text('customer.firstName'),
  lastName: text('customer.lastName'),
  email: text('customer.email'),
  phone: text('customer.phone'),
  status: text('customer.status'),
  dateOfBirth: date('customer.dateOfBirth'),
  createdAt: dateTime('customer.createdAt'),
};
const place = { operation: 'getCustomer', path: '/data' } as const;
const decode = recordDecoder<Record<keyof typeof fields, never>>('customer.id', fields as never);

const value = oneof(
  constantFrom<unknown>(
    null,
    undefined,
    '',
    'c1',
    'Ada',
    '.',
    '\ud800',
    '1990-01-01',
    '2026-01-01T00:00:00Z',
    7,
    true,
    {},
  ),
  string(),
  anything(),
);

/** A value as it can be compared: of an error what it says. */
const told = (decoded: unknown): unknown =>
  decoded instanceof GatewayError ? [decoded.code, decoded.details] : decoded;

describe('a record', () => {
  it('is in code of its own what its fields’ decoders make of it one by one', () => {
    const sources = dictionary(constantFrom(...names), value, { noNullPrototype: true });
    assert(
      property(sources, (source) => {
        const id = fields.id(source, place);
        const one = Object.entries(fields).map(([key, field]) => [key, told(field(source, place))]);
        const decoded: object = decode(source, place);
        const all = Object.entries(decoded).map(([key, own]) => [key, told(own)]);
        expect(decoded instanceof GatewayError ? told(decoded) : all).toEqual(
          id instanceof GatewayError ? told(id) : one,
        );
      }),
      { numRuns: 5_000 },
    );
  });
});
