import { formTexts } from '../../text/forms.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { asBox, asText, type ControlProps } from './control-props.ts';

/** The grade of a check, and what it should know of the agent's work once it is on. */
export function GuardrailControl({ field, value, onChange, disabled }: ControlProps) {
  const { value: grade, context } = asBox(value ?? field.default);
  const options = field.options ?? [];
  return (
    <div className="flex flex-wrap items-center gap-2.5">
      <Segmented
        label={field.label}
        value={asText(grade)}
        options={options}
        disabled={disabled}
        onChange={(next) => onChange({ value: next, context: asText(context) })}
      />
      {asText(grade) !== (options[0]?.value ?? 'Off') && (
        <TextInput
          className="max-w-80 flex-1"
          aria-label={`${field.label}: ${formTexts.context}`}
          placeholder={formTexts.context}
          value={asText(context)}
          disabled={disabled}
          onChange={({ target }) => onChange({ value: asText(grade), context: target.value })}
        />
      )}
    </div>
  );
}
