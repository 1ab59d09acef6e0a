import { formTexts } from '../../text/forms.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Select } from '../../ui/select.tsx';
import { asBox, asList, asText, type ControlProps } from './control-props.ts';

/** A choice may be stored as `{value, label}`; what is sent is its value. */
const chosenIn = (value: unknown) => asText(typeof value === 'object' ? asBox(value)['value'] : value);

/** Up to four choices are all in view; more are a list. */
export function ChoiceControl({ field, value, onChange, disabled }: ControlProps) {
  const options = field.options ?? [];
  const chosen = chosenIn(value ?? field.default);
  if (options.length > 4 || !options.some((option) => option.value === chosen))
    return (
      <Select
        value={chosen}
        options={options}
        {...(!field.required && { empty: formTexts.notSet })}
        disabled={disabled}
        onChange={(next) => onChange(next || null)}
        className="max-w-80"
      />
    );
  return (
    <Segmented
      label={field.label}
      value={chosen}
      options={options}
      disabled={disabled}
      onChange={(next) => onChange(next)}
    />
  );
}

export function MultiChoiceControl({ field, value, onChange, disabled }: ControlProps) {
  const chosen = asList(value).map(chosenIn);
  return (
    <div className="flex flex-wrap gap-x-5 gap-y-1.5">
      {(field.options ?? []).map((option) => (
        <Checkbox
          key={option.value}
          label={option.label}
          checked={chosen.includes(option.value)}
          disabled={disabled}
          onChange={(on) => onChange(on ? [...chosen, option.value] : chosen.filter((entry) => entry !== option.value))}
        />
      ))}
    </div>
  );
}
