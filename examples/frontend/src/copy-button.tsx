import { useState } from 'react';

/** A number to pay to, which a press copies. */
export function CopyButton({ text }: { readonly text: string }) {
  const [said, setSaid] = useState('');
  const copy = async () => {
    await navigator.clipboard.writeText(text).then(
      () => setSaid('Copied'),
      () => setSaid('Not copied: select the number instead'),
    );
  };
  return (
    <span className="copy">
      <code>{text}</code>
      <button type="button" className="quiet small" aria-label={`Copy ${text}`} onClick={() => void copy()}>
        Copy
      </button>
      <span role="status" className="fine">
        {said}
      </span>
    </span>
  );
}
