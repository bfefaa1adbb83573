import { graphql } from './gql';

export const CustomersDocument = graphql(`
  query Customers($after: String) {
    customers(first: 20, after: $after) {
      totalCount
      nodes {
        id
        firstName
        lastName
        balance {
          value {
            amount
            currency
          }
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);
