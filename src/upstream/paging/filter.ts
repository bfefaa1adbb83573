import type { Contract } from '../../contract/contract.ts';
import type { Filter } from './list.ts';
import { compilePointers } from '../decoding/json-pointer.ts';

const maxDepth = 5;

/** `search` of a collection: a record is meant when each word searched for stands in some text of it. */
export function searchFilter(contract: Contract, list: 'listCustomers' | 'listSettlementBanks'): Filter {
  const isChecked = contract[`${list}.searchMatch`] === 'contains';
  return {
    row: `${list}.search`,
    argument: 'search',
    parameter: contract[`${list}.search`],
    matches: (source, text) => !isChecked || toWords(text).every((word) => containsText(source, word, 0)),
  };
}

/** `type` of a customer's transactions: a record is meant when its type is that word, whatever its case. */
export function typeFilter(contract: Contract): Filter {
  const type = compilePointers(contract['transaction.type']);
  return {
    row: 'listCustomerTransactions.type',
    argument: 'type',
    parameter: contract['listCustomerTransactions.type'],
    matches: (source, text) => {
      const word = type.read(source);
      return typeof word === 'string' && word.toLowerCase() === text.toLowerCase();
    },
  };
}

function toWords(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}

function containsText(source: unknown, text: string, depth: number): boolean {
  if (typeof source === 'string') return source.toLowerCase().includes(text);
  if (typeof source !== 'object' || source === null || depth > maxDepth) return false;
  return Object.values(source).some((value) => containsText(value, text, depth + 1));
}
