import { Eye, EyeOff } from 'lucide-react';
import { type InputHTMLAttributes, useState } from 'react';
import { t } from '../text/en.ts';
import { cx } from './cx.ts';
import { IconButton } from './icon-button.tsx';
import { TextInput } from './text-field.tsx';

interface PasswordInputProps extends InputHTMLAttributes<HTMLInputElement> {
  /** A key of another service: browsers do not offer to keep it as the password of this page. */
  isKey?: boolean;
}

/** A secret that is typed; it can be looked at. */
export function PasswordInput({ isKey, ...props }: PasswordInputProps) {
  const [shown, setShown] = useState(false);
  return (
    <span className="relative block">
      <TextInput
        {...props}
        type={shown || isKey ? 'text' : 'password'}
        spellCheck={false}
        autoCapitalize="off"
        className={cx('pr-10', isKey && !shown && '[-webkit-text-security:disc]')}
      />
      <IconButton
        label={shown ? t.ui.hidePassword : t.ui.showPassword}
        icon={shown ? <EyeOff size={15} /> : <Eye size={15} />}
        onClick={() => setShown(!shown)}
        className="absolute! top-0.5 right-0.5 pointer-coarse:top-0 pointer-coarse:right-0"
      />
    </span>
  );
}

/** Tells programs that store passwords whose it is. */
export const AccountHint = ({ email = '' }: { email?: string }) => (
  <input type="text" hidden readOnly autoComplete="username" value={email} />
);
