import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { formTexts } from '../../text/forms.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { asBox, asText, type ControlProps } from './control-props.ts';
import { TemplateInput } from './template-control.tsx';

type Row = [name: string, value: string];
const rowsOf = (value: unknown): Row[] => Object.entries(asBox(value)).map(([name, text]) => [name, asText(text)]);

/** Texts by name; `{{` offers variables in them. A row without a name is kept here until it has one. */
export function KeyValueControl({ field, value, onChange, disabled }: ControlProps) {
  const [unnamed, setUnnamed] = useState(0);
  const rows = [...rowsOf(value), ...Array.from({ length: unnamed }, (): Row => ['', ''])];
  const change = (next: Row[]) => {
    setUnnamed(next.filter(([name]) => name === '').length);
    onChange(Object.fromEntries(next.filter(([name]) => name !== '')));
  };
  const set = (index: number, row: Row) => change(rows.map((old, other) => (other === index ? row : old)));
  return (
    <div className="flex flex-col gap-2">
      {rows.map(([name, text], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row keeps its place while its name is typed.
        <div key={index} className="flex gap-2">
          <TextInput
            aria-label={`${field.label}, ${formTexts.name}`}
            id={undefined}
            mono
            value={name}
            placeholder={formTexts.name}
            disabled={disabled}
            onChange={({ target }) => set(index, [target.value, text])}
          />
          <TemplateInput
            aria-label={`${field.label}, ${formTexts.value}`}
            id={undefined}
            value={text}
            placeholder={formTexts.value}
            disabled={disabled}
            onChange={(next) => set(index, [name, next])}
          />
          {!disabled && (
            <IconButton
              label={formTexts.removeEntry(name || formTexts.entry(index + 1))}
              icon={<Trash2 size={15} />}
              onClick={() => change(rows.filter((_, other) => other !== index))}
            />
          )}
        </div>
      ))}
      {!disabled && (
        <Button size="small" className="self-start" onClick={() => setUnnamed(unnamed + 1)}>
          {formTexts.addTo(field.label)}
        </Button>
      )}
    </div>
  );
}
