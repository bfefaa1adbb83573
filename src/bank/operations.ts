import { operationNames, operationRows, type OperationName } from '../contract/operation-rows.ts';

/** An operation as the contract has it by default, with the path of its route below `/api/v1`. */
export const operationOf = (name: OperationName) => {
  const [credential = 'bearer'] = operationRows[`${name}.credentials`].value;
  const path = operationRows[`${name}.path`].value.replace('{id}', ':id');
  return { name, method: operationRows[`${name}.method`].value, path, credential };
};

/** The thirteen operations. */
export const operations = operationNames.map(operationOf);
