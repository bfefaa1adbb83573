/** The shape of what is being loaded, so that nothing moves when it is there. */
export function Loading({ what, rows = 1 }: { readonly what: string; readonly rows?: number }) {
  return (
    <div className="skeleton">
      <p role="status" className="hidden">
        Loading {what} …
      </p>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} />
      ))}
    </div>
  );
}
