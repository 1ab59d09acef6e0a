import { ChevronDown } from 'lucide-react';
import type { SelectHTMLAttributes } from 'react';
import { cx } from './cx.ts';
import { useFieldIds } from './field.tsx';
import { controlLook } from './text-field.tsx';

export interface Option {
  value: string;
  label: string;
  disabled?: boolean;
}

interface SelectProps extends Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange' | 'value'> {
  value: string;
  options: readonly Option[];
  /** The entry for no value. */
  empty?: string;
  onChange: (value: string) => void;
}

/** The browser's own list: it works with every keyboard, screen reader and phone. */
export function Select({ value, options, empty, onChange, className, ...rest }: SelectProps) {
  return (
    <span className={cx('relative block', className)}>
      <select
        {...useFieldIds()}
        {...rest}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={cx(controlLook, 'h-8.5 appearance-none pr-8 pointer-coarse:h-11')}
      >
        {empty !== undefined && <option value="">{empty}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown
        size={14}
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-2.5 -translate-y-1/2 text-text-3"
      />
    </span>
  );
}
