import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { print } from 'graphql';
import { GraphQLClient, type Variables } from 'graphql-request';

const client = new GraphQLClient(`${location.origin}/api/graphql`, { errorPolicy: 'all' });

/** The data, and the errors of fields that failed beside it. Throws where the whole request was refused. */
export async function ask<Data, Values extends Variables>(document: TypedDocumentNode<Data, Values>, values: Values) {
  const { data, errors } = await client.rawRequest<Data>(print(document), values);
  return { data, error: errors && Object.assign(new Error('Fields failed.'), { errors }) };
}
