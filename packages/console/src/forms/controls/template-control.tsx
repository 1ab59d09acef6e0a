import type { InputHTMLAttributes } from 'react';
import { formTexts } from '../../text/forms.ts';
import { Chip } from '../../ui/chip.tsx';
import { TextArea, TextInput } from '../../ui/text-field.tsx';
import { plainText } from '../field-values.ts';
import { asText, type ControlProps } from './control-props.ts';
import { useCompletion } from './use-completion.tsx';
import { countWords, variablesIn } from './variable-completion.ts';

/** A text that variables are filled into: `{{` offers the workspace's variables. */
export function TemplateControl({ field, value, onChange, disabled }: ControlProps) {
  const text = plainText(value);
  const { list, props } = useCompletion(text, onChange);
  const used = variablesIn(text);
  return (
    <div className="relative">
      <TextArea
        value={text}
        placeholder={plainText(field.default)}
        disabled={disabled}
        maxRows={20}
        dir="auto"
        {...props}
      />
      {list}
      {!disabled && (
        <p className="mt-1.5 flex flex-wrap items-center gap-1.5 text-caption text-text-3">
          <kbd>{'{{'}</kbd> {formTexts.typeForVariable}
          {used.map((name) => (
            <Chip key={name} tone="info">
              {name}
            </Chip>
          ))}
          <span className="num ml-auto">{formTexts.words(countWords(text))}</span>
        </p>
      )}
    </div>
  );
}

interface TemplateInputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> {
  value: string;
  onChange: (value: string) => void;
}

/** One line that variables are filled into. */
export function TemplateInput({ value, onChange, ...rest }: TemplateInputProps) {
  const { list, props } = useCompletion(value, onChange);
  return (
    <span className="relative block w-full min-w-0">
      <TextInput {...rest} {...props} value={value} dir="auto" autoComplete="off" />
      {list}
    </span>
  );
}

/** A short text inside of an entry, such as the address of an action. */
export const ShortTemplateControl = ({ field, value, onChange, disabled }: ControlProps) => (
  <TemplateInput
    value={asText(value)}
    placeholder={asText(field.default) || undefined}
    disabled={disabled}
    onChange={onChange}
  />
);
