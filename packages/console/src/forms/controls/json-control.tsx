import { useState } from 'react';
import { formTexts } from '../../text/forms.ts';
import { TextArea } from '../../ui/text-field.tsx';
import type { ControlProps } from './control-props.ts';

const textOf = (value: unknown) => (value === undefined || value === null ? '' : JSON.stringify(value, null, 2));

/** Any value as JSON. It is taken once it can be read; until then what was typed stays. */
export function JsonControl({ field, value, onChange, disabled }: ControlProps) {
  const [typed, setTyped] = useState<string>();
  const [broken, setBroken] = useState(false);
  const change = (text: string) => {
    setTyped(text);
    try {
      onChange(text.trim() === '' ? null : JSON.parse(text));
      setBroken(false);
    } catch {
      setBroken(true);
    }
  };
  return (
    <>
      <TextArea
        mono
        aria-label={field.label}
        spellCheck={false}
        value={typed ?? textOf(value)}
        placeholder={textOf(field.default)}
        disabled={disabled}
        onChange={({ target }) => change(target.value)}
        onBlur={() => !broken && setTyped(undefined)}
      />
      {broken && (
        <p role="status" className="text-dense text-bad">
          {formTexts.faults.json}
        </p>
      )}
    </>
  );
}
