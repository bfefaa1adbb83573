export interface PendingReference {
  readonly read: () => string | null;
  readonly write: (reference: string) => void;
  readonly clear: () => void;
}

/**
 * The reference of a merchant's registration that was sent and not answered yet: it outlives a reload, since the outcome
 * must still be looked up. Nothing else of the form is ever stored.
 */
export function pendingReferenceOf(merchant: string): PendingReference {
  const place = `pending-reference ${merchant}`;
  return {
    read: () => sessionStorage.getItem(place),
    write: (reference) => sessionStorage.setItem(place, reference),
    clear: () => sessionStorage.removeItem(place),
  };
}
