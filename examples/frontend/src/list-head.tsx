/** The heads of a list's columns, for the eye: each entry has its values in an order that can be read aloud. */
export function ListHead({ names }: { readonly names: readonly string[] }) {
  return (
    <div className={`list-head columns-${names.length}`} aria-hidden="true">
      {names.map((name) => (
        <span key={name}>{name}</span>
      ))}
    </div>
  );
}
