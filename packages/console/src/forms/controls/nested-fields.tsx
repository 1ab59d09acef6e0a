import { Field } from '../../ui/field.tsx';
import { Switch } from '../../ui/switch.tsx';
import type { NestedField } from '../form-types.ts';
import { FieldControl, isGroup } from './field-control.tsx';
import { ShortTemplateControl } from './template-control.tsx';

interface NestedFieldsProps {
  fields: readonly NestedField[];
  value: Readonly<Record<string, unknown>>;
  onChange: (value: Record<string, unknown>) => void;
  disabled?: boolean | undefined;
}

/** The fields of an object, in two columns where there is room. */
export function NestedFields({ fields, value, onChange, disabled }: NestedFieldsProps) {
  const set = (key: string, next: unknown) => {
    const { [key]: _, ...others } = value;
    onChange(next === null || next === undefined ? others : { ...value, [key]: next });
  };
  return (
    <div className="flex flex-col gap-3 pr-8">
      {fields.map((field) => {
        // Variables are filled into every text of the settings.
        const Control = field.control === 'text' && !field.options ? ShortTemplateControl : FieldControl;
        return field.control === 'switch' ? (
          <div key={field.key} className="flex items-center gap-2.5 text-label">
            <Switch
              label={field.label}
              checked={Boolean(value[field.key] ?? field.default)}
              disabled={disabled}
              onChange={(on) => set(field.key, on)}
            />
            <span aria-hidden>{field.label}</span>
            <span className="text-caption text-text-3">{field.help}</span>
          </div>
        ) : (
          <Field key={field.key} label={field.label} help={field.help || undefined} group={isGroup(field)}>
            <Control
              field={field}
              value={value[field.key]}
              disabled={disabled}
              onChange={(next) => set(field.key, next)}
            />
          </Field>
        );
      })}
    </div>
  );
}
