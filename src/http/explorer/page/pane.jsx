/** A part of the page below GraphiQL: one line, and what it opens to. */
export function Pane({ title, status, isOpen, onToggle, children }) {
  return (
    <section className="pane" aria-label={title}>
      <h2>
        <button type="button" aria-expanded={isOpen} onClick={onToggle}>
          {title}
        </button>
      </h2>
      <p role="status">{status}</p>
      {isOpen && <div className="pane-body">{children}</div>}
    </section>
  );
}
