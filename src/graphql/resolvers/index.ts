import type { Resolvers } from '../schema.generated.ts';
import {
  CustomerConnection,
  CustomerTransactionConnection,
  SettlementBankConnection,
  VirtualAccountConnection,
} from './Connection.ts';
import { Customer } from './Customer.ts';
import { Mutation } from './Mutation.ts';
import { Query } from './Query.ts';
import { CurrencyCode, Date, DateTime, Decimal } from './scalars.ts';
import { SettlementBank } from './SettlementBank.ts';

export const resolvers: Resolvers = {
  CurrencyCode,
  Customer,
  CustomerConnection,
  CustomerTransactionConnection,
  Date,
  DateTime,
  Decimal,
  Mutation,
  Query,
  SettlementBank,
  SettlementBankConnection,
  VirtualAccountConnection,
};
