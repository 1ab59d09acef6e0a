import { welcomeTexts } from '../../text/welcome.ts';
import { Field } from '../../ui/field.tsx';
import { PasswordInput } from '../../ui/password-field.tsx';

export const passwordFault = (password: string) => [...password].length < 12 && welcomeTexts.passwordShort;

interface NewPasswordFieldProps {
  label: string;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

export const NewPasswordField = ({ label, value, error, onChange }: NewPasswordFieldProps) => (
  <Field label={label} help={welcomeTexts.passwordHelp} error={error}>
    <PasswordInput autoComplete="new-password" value={value} onChange={(event) => onChange(event.target.value)} />
  </Field>
);
