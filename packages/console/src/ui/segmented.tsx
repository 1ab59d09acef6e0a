import { RadioGroup as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { useFieldIds } from './field.tsx';

interface SegmentedProps<V extends string> {
  value: V;
  options: readonly { value: V; label: ReactNode }[];
  onChange: (value: V) => void;
  label?: string;
  disabled?: boolean | undefined;
}

/** One of a few, all in view. */
export function Segmented<V extends string>({ value, options, onChange, label, disabled }: SegmentedProps<V>) {
  return (
    <Radix.Root
      {...useFieldIds()}
      aria-label={label}
      value={value}
      disabled={disabled}
      onValueChange={(next) => onChange(next as V)}
      className="inline-flex w-fit max-w-full flex-wrap rounded-2 border border-line-2 bg-sunken p-0.5"
    >
      {options.map((option) => (
        <Radix.Item
          key={option.value}
          value={option.value}
          className="h-6.5 rounded-1 px-2.5 text-dense font-medium text-text-2 data-[state=checked]:bg-surface data-[state=checked]:text-text data-[state=checked]:shadow-1 pointer-coarse:h-11"
        >
          {option.label}
        </Radix.Item>
      ))}
    </Radix.Root>
  );
}
