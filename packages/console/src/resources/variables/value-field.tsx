import { FieldControl } from '../../forms/controls/field-control.tsx';
import type { FormField, Values } from '../../forms/form-types.ts';
import { resourceTexts } from '../../text/resources.ts';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { TextArea } from '../../ui/text-field.tsx';
import { SecretInput } from '../common/secret-input.tsx';

const words = resourceTexts.variables;

interface ValueFieldProps {
  field: FormField;
  values: Values;
  isStored: boolean;
  error: string | undefined;
  onChange: (value: string | null) => void;
}

/** The value of a variable by its type. That of a secret is written and never shown. */
export function ValueField({ field, values, isStored, error, onChange }: ValueFieldProps) {
  const { is_secret, type } = values as { is_secret?: boolean; type?: string };
  const value = typeof values['inline_value'] === 'string' ? values['inline_value'] : '';
  const isReference = type === 'file' && !is_secret;
  return (
    <div data-place="inline_value">
      <Field
        label={is_secret && isStored ? words.newValue : words.value}
        help={is_secret ? words.secretHelp : words.valueHelp}
        error={error}
        group={isReference}
      >
        {is_secret ? (
          <SecretInput
            placeholder={isStored ? words.stored : undefined}
            onChange={(typed) => onChange(typed || null)}
          />
        ) : isReference ? (
          <FieldControl
            field={{ ...field, control: 'reference', references: 'file' }}
            value={value}
            onChange={(next) => onChange(typeof next === 'string' ? next : null)}
          />
        ) : type === 'boolean' ? (
          <Select
            value={value}
            empty=""
            options={[
              { value: 'true', label: words.yes },
              { value: 'false', label: words.no },
            ]}
            onChange={onChange}
            className="max-w-40"
          />
        ) : (
          <TextArea
            mono={type === 'object'}
            dir="auto"
            value={value}
            onChange={({ target }) => onChange(target.value)}
          />
        )}
      </Field>
    </div>
  );
}
