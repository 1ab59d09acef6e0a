import { useState } from 'react';
import { formTexts } from '../../text/forms.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { asList, asText, type ControlProps } from './control-props.ts';

/** Plain texts or numbers as chips, with a field that adds one. */
export function ListControl({ field, value, onChange, disabled }: ControlProps) {
  const [typed, setTyped] = useState('');
  /** The text in the field that already counts as the last entry: what was typed is not lost by leaving the field. */
  const [counted, setCounted] = useState<string>();
  const all = asList(value);
  const isCounted = counted !== undefined && all.length > 0 && asText(all.at(-1)) === counted;
  const entries = isCounted ? all.slice(0, -1) : all;
  const isNumber = field.items?.type === 'integer' || field.items?.type === 'number';
  const entryOf = (text: string) => {
    const number = Number(text);
    return isNumber && Number.isFinite(number) ? number : text;
  };
  const add = () => {
    const text = typed.trim();
    if (!text) return;
    onChange([...entries, entryOf(text)]);
    setTyped('');
    setCounted(undefined);
  };
  // It becomes a chip later: one more line would move the button that is just being pressed.
  const count = () => {
    const text = typed.trim();
    if (text ? isCounted && text === counted : !isCounted) return;
    onChange(text ? [...entries, entryOf(text)] : entries);
    setCounted(text ? asText(entryOf(text)) : undefined);
  };
  return (
    <div className="flex flex-col gap-2">
      {entries.length > 0 && (
        <ul className="flex flex-wrap gap-1.5">
          {entries.map((entry, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two entries may be the same text.
            <li key={`${index}-${asText(entry)}`} className="max-w-full">
              <Chip
                {...(!disabled && { onRemove: () => onChange(all.filter((_, other) => other !== index)) })}
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
            autoComplete="off"
            placeholder={formTexts.typeAndEnter}
            onChange={({ target }) => setTyped(target.value)}
            onBlur={count}
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
