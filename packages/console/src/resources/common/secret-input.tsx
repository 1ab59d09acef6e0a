import { PasswordInput } from '../../ui/password-field.tsx';

interface SecretInputProps {
  placeholder?: string | undefined;
  onChange: (value: string) => void;
}

/** A secret of another service. It is not controlled: React would write what is typed into the page as an attribute. */
export const SecretInput = ({ placeholder, onChange }: SecretInputProps) => (
  <PasswordInput
    isKey
    autoComplete="off"
    defaultValue=""
    placeholder={placeholder}
    onChange={({ target }) => onChange(target.value)}
  />
);
