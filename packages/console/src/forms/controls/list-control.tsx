import { useState } from 'react';
import { formTexts } from '../../text/forms.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { asList, asText, type ControlProps } from './control-props.ts';

/** Plain texts or numbers as chips, with a field that adds one. */
export function ListControl({ field, value, onChange, disabled }: ControlProps) {
  const [typed, setTyped] = useState('');
  const entries = asList(value);
  const isNumber = field.items?.type === 'integer' || field.items?.type === 'number';
  const add = () => {
    const text = typed.trim();
    if (!text) return;
    const number = Number(text);
    onChange([...entries, isNumber && Number.isFinite(number) ? number : text]);
    setTyped('');
  };
  return (
    <div className="flex flex-col gap-2">
      {entries.length > 0 && (
        <ul className="flex flex-wrap gap-1.5">
          {entries.map((entry, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two entries may be the same text.
            <li key={`${index}-${asText(entry)}`} className="max-w-full">
              <Chip
                {...(!disabled && { onRemove: () => onChange(entries.filter((_, other) => other !== index)) })}
                removeLabel={formTexts.removeEntry(asText(entry))}
              >
                {asText(entry)}
              </Chip>
            </li>
          ))}
        </ul>
      )}
      {!disabled && (
        <div className="flex max-w-110 gap-2">
          <TextInput
            value={typed}
            placeholder={formTexts.typeAndEnter}
            onChange={({ target }) => setTyped(target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
              event.preventDefault();
              add();
            }}
          />
          <Button onClick={add} aria-label={formTexts.addTo(field.label)}>
            {formTexts.add}
          </Button>
        </div>
      )}
      {disabled && entries.length === 0 && <p className="text-dense text-text-3">{formTexts.none}</p>}
    </div>
  );
}
