import { type ReactNode, useId } from 'react';
import { useFieldIds } from './field.tsx';

interface SegmentedProps<V extends string> {
  value: V;
  options: readonly { value: V; label: ReactNode }[];
  onChange: (value: V) => void;
  label?: string;
  disabled?: boolean | undefined;
}

/** One of a few, all in view. The browser's own radio buttons: a library for them would be a sixth of many a page. */
export function Segmented<V extends string>({ value, options, onChange, label, disabled }: SegmentedProps<V>) {
  const name = useId();
  const { id, ...field } = useFieldIds();
  return (
    <div
      role="radiogroup"
      {...(id && { id, 'aria-labelledby': `${id}-label` })}
      {...field}
      aria-label={label}
      className="inline-flex w-fit max-w-full flex-wrap rounded-2 border border-line-2 bg-sunken p-0.5"
    >
      {options.map((option) => (
        <label
          key={option.value}
          className="relative inline-flex h-6.5 items-center rounded-1 px-2.5 text-dense font-medium text-text-2 has-checked:bg-surface has-checked:text-text has-checked:shadow-1 has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-accent justify-center pointer-coarse:h-11 pointer-coarse:min-w-11"
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            disabled={disabled}
            onChange={() => onChange(option.value)}
            className="absolute inset-0 size-full cursor-pointer appearance-none rounded-1 outline-none disabled:cursor-default"
          />
          {option.label}
        </label>
      ))}
    </div>
  );
}
