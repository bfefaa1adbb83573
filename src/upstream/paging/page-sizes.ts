/**
 * How a service has been seen to treat page sizes. It is a property of the service and not of a caller, so it is kept for
 * all requests.
 */
export interface PageSizes {
  /** The smallest and the largest page that the service gives. */
  smallest: number;
  largest: number;
  /** The page sizes that the service honours for certain. A size between two of them may still be another to it. */
  readonly honoured: Set<number>;
  /** Whether its answers report their page size. */
  isReported: boolean;
  /** The number of records of the longest page seen: no page size is smaller. */
  longest: number;
}

export function createPageSizes(largest: number): PageSizes {
  return { smallest: 1, largest, honoured: new Set(), isReported: false, longest: 0 };
}

export function sizeToAsk({ smallest, largest }: PageSizes, first: number): number {
  return Math.min(Math.max(first, smallest), largest);
}

/** The numbers, from 1, of the pages that hold `first` records from a position on. */
export function pageNumbers(start: number, first: number, size: number): readonly number[] {
  const from = Math.floor(start / size);
  const to = Math.floor((start + first - 1) / size);
  return from === to ? [from + 1] : Array.from({ length: to - from + 1 }, (_, index) => from + index + 1);
}

/** Remembers that the service answered with another page size than it was asked for. */
export function rememberOtherSize(sizes: PageSizes, askedSize: number, size: number): void {
  if (size < askedSize) sizes.largest = size;
  else sizes.smallest = size;
  sizes.largest = Math.max(sizes.largest, size);
}
