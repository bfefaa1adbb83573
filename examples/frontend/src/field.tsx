interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly type?: string | undefined;
  readonly autoComplete?: string | undefined;
  readonly defaults: Readonly<Record<string, string>>;
  /** Why the value was refused. */
  readonly error: string | undefined;
}

/** An input with its label, its hint and what is wrong with it, tied together for every reader. */
export function Field({ name, label, hint, type = 'text', autoComplete = 'off', defaults, error }: FieldProps) {
  const isInvalid = error !== undefined;
  const described = [hint === undefined ? [] : `${name}-hint`, isInvalid ? `${name}-error` : []].flat().join(' ');
  return (
    <div className="field">
      <label htmlFor={name}>{label}</label>
      {hint !== undefined && (
        <p className="fine" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      <input
        id={name}
        name={name}
        type={type}
        autoComplete={autoComplete}
        defaultValue={defaults[name]}
        aria-invalid={isInvalid}
        aria-describedby={described === '' ? undefined : described}
      />
      {isInvalid && (
        <p className="error" id={`${name}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}
