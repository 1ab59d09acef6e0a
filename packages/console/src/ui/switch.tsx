import { Switch as Radix } from 'radix-ui';
import { cx } from './cx.ts';
import { useFieldIds } from './field.tsx';

interface SwitchProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** Its name where no field or label has one. */
  label?: string;
  disabled?: boolean | undefined;
  id?: string;
  'aria-describedby'?: string;
}

export function Switch({ checked, onChange, label, disabled, ...rest }: SwitchProps) {
  return (
    <Radix.Root
      {...useFieldIds()}
      {...rest}
      aria-label={label}
      checked={checked}
      disabled={disabled}
      onCheckedChange={onChange}
      className={cx(
        'relative h-4.5 w-8 flex-none rounded-full bg-control transition-colors duration-120 data-[state=checked]:bg-accent disabled:opacity-45',
        'after:absolute after:-inset-2 pointer-coarse:after:-inset-3.5',
      )}
    >
      <Radix.Thumb className="block size-3.5 translate-x-0.5 rounded-full bg-surface transition-transform duration-120 data-[state=checked]:translate-x-4" />
    </Radix.Root>
  );
}
