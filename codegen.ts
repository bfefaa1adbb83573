import type { CodegenConfig } from '@graphql-codegen/cli';

const config: CodegenConfig = {
  schema: 'schema.graphql',
  generates: {
    'src/schema.generated.ts': {
      plugins: ['typescript', 'typescript-resolvers'],
      config: {
        contextType: './context.ts#Context',
        defaultScalarType: 'string',
        emitLegacyCommonJSImports: false,
        enumsAsTypes: true,
        federation: true,
        immutableTypes: true,
        mappers: {
          Balance: './domain.ts#Balance as BalanceValue',
          BankingUserError: './domain.ts#UserError',
          Customer: './domain.ts#Customer as CustomerValue',
          CustomerConnection: './domain.ts#Connection<CustomerValue>',
          CustomerTransaction: './domain.ts#CustomerTransaction as CustomerTransactionValue',
          CustomerTransactionConnection: './domain.ts#Connection<CustomerTransactionValue>',
          Money: './domain.ts#Money as MoneyValue',
          OneTimeAccount: './domain.ts#OneTimeAccount as OneTimeAccountValue',
          SettlementBank: './domain.ts#SettlementBank as SettlementBankValue',
          SettlementBankConnection: './domain.ts#Connection<SettlementBankValue>',
          VirtualAccount: './domain.ts#VirtualAccount as VirtualAccountValue',
          VirtualAccountConnection: './domain.ts#Connection<VirtualAccountValue>',
        },
        scalars: { ID: 'string' },
        useTypeImports: true,
      },
    },
    'src/client/schema.generated.ts': { plugins: ['./codegen-client.ts'] },
    'src/client/schema.graphql': { plugins: ['./codegen-client.ts'] },
  },
};

export default config;
