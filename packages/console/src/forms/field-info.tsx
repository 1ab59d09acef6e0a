import { Info } from 'lucide-react';
import { formTexts } from '../text/forms.ts';
import { CodeWords } from '../ui/code-words.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Popover } from '../ui/popover.tsx';
import { plainText } from './field-values.ts';
import type { FormField } from './form-types.ts';

/** A value in a few words, for the line that names a default. */
export function sayValue(field: Pick<FormField, 'control' | 'options'>, value: unknown): string {
  if (value === null || value === undefined || value === '') return formTexts.none;
  if (field.control === 'rich_text') return plainText(value) || formTexts.none;
  if (typeof value === 'boolean') return value ? formTexts.yes : formTexts.no;
  const chosen = typeof value === 'object' && 'value' in value ? value.value : value;
  const option = field.options?.find((entry) => entry.value === chosen);
  if (option) return option.label;
  if (Array.isArray(value) && value.length === 0) return formTexts.none;
  const text = typeof chosen === 'object' ? JSON.stringify(chosen) : String(chosen);
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}

/** The key of a field, its default, and what programs need to know of it. */
export function FieldInfo({ field }: { field: FormField }) {
  return (
    <Popover
      label={formTexts.about(field.label)}
      trigger={
        <IconButton
          label={formTexts.about(field.label)}
          icon={<Info size={13} />}
          className="size-6! text-text-3 pointer-coarse:-my-2.5 pointer-coarse:size-11! opacity-70 hover:opacity-100 focus-visible:opacity-100"
        />
      }
    >
      <p className="text-dense">
        <CodeWords text={field.help} />
      </p>
      <dl className="mt-2.5 grid grid-cols-[auto_1fr] gap-x-3 gap-y-1 text-caption">
        <dt className="text-text-3">{formTexts.key}</dt>
        <dd className="font-mono break-all">{field.path.join('.')}</dd>
        <dt className="text-text-3">{formTexts.defaultIs}</dt>
        <dd className="break-words">{sayValue(field, field.default)}</dd>
      </dl>
    </Popover>
  );
}
