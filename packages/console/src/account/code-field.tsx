import { accountTexts } from '../text/account.ts';
import { welcomeTexts } from '../text/welcome.ts';
import { Field } from '../ui/field.tsx';
import { TextInput } from '../ui/text-field.tsx';

export const codeFault = (code: string) =>
  !/^[0-9A-Za-z -]{6,40}$/.test(code.trim()) && welcomeTexts.secondFactor.needCode;

/** A code of the app, or a recovery code. */
export const CodeField = (props: {
  value: string;
  error: string | undefined;
  onChange: (code: string) => void;
  autoFocus?: boolean;
}) => (
  <Field label={accountTexts.secondFactor.anyCode} error={props.error}>
    <TextInput
      mono
      autoFocus={props.autoFocus}
      autoComplete="one-time-code"
      value={props.value}
      onChange={(event) => props.onChange(event.target.value)}
    />
  </Field>
);
