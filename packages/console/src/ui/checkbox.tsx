import type { ReactNode } from 'react';
import { cx } from './cx.ts';

interface CheckboxProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  label: ReactNode;
  /** The label is read out but not shown. */
  bare?: boolean;
  help?: ReactNode;
  disabled?: boolean | undefined;
}

export function Checkbox({ checked, onChange, label, bare, help, disabled }: CheckboxProps) {
  return (
    <label
      className={cx(
        'inline-flex items-start gap-2 text-label pointer-coarse:min-h-11 pointer-coarse:items-center',
        disabled && 'opacity-60',
      )}
    >
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
        className="mt-0.5 size-4 flex-none accent-accent"
      />
      <span className={cx(bare && 'sr-only')}>
        {label}
        {help && <span className="block text-caption text-text-3">{help}</span>}
      </span>
    </label>
  );
}
