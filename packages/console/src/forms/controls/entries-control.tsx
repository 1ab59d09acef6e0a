import { Plus, Trash2 } from 'lucide-react';
import { formTexts } from '../../text/forms.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { asBox, asList, asText, type ControlProps } from './control-props.ts';
import { NestedFields } from './nested-fields.tsx';

/** Objects with known fields, one below the other. */
export function EntriesControl({ field, value, onChange, disabled }: ControlProps) {
  const entries = asList(value).map((entry) => (typeof entry === 'string' ? { id: entry } : asBox(entry)));
  const fields = field.fields ?? [];
  const nameOf = (entry: Record<string, unknown>, index: number) =>
    asText(entry['name'] ?? entry[fields[0]?.key ?? '']).slice(0, 60) || formTexts.entry(index + 1);
  return (
    <div className="flex flex-col gap-2.5">
      {entries.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an entry keeps its place while it is edited.
        <fieldset key={index} className="relative min-w-0 rounded-3 border border-line p-3.5">
          <legend className="sr-only">{nameOf(entry, index)}</legend>
          {!disabled && (
            <span className="absolute top-2 right-2">
              <IconButton
                label={formTexts.removeEntry(nameOf(entry, index))}
                icon={<Trash2 size={15} />}
                onClick={() => onChange(entries.filter((_, other) => other !== index))}
              />
            </span>
          )}
          <NestedFields
            fields={fields}
            value={entry}
            disabled={disabled}
            onChange={(next) => onChange(entries.map((old, other) => (other === index ? next : old)))}
          />
        </fieldset>
      ))}
      {!disabled && (
        <Button
          size="small"
          className="self-start"
          icon={<Plus size={14} />}
          aria-label={formTexts.addTo(field.label)}
          onClick={() => onChange([...entries, blankEntry(fields)])}
        >
          {formTexts.addEntry}
        </Button>
      )}
      {disabled && entries.length === 0 && <p className="text-dense text-text-3">{formTexts.none}</p>}
    </div>
  );
}

/** A new entry has what the server asks for, empty. */
const blankEntry = (fields: NonNullable<ControlProps['field']['fields']>) =>
  Object.fromEntries(
    fields
      .filter(({ required }) => required)
      .map(({ key, options, type }) => [
        key,
        options?.[0]?.value ?? (type === 'list' ? [] : type === 'object' ? {} : ''),
      ]),
  );
