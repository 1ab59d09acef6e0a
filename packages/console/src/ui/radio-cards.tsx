import { RadioGroup as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

export interface RadioCard<V extends string> {
  value: V;
  label: ReactNode;
  help?: ReactNode;
  icon?: ReactNode;
  beside?: ReactNode;
}

/** One of a few choices that need a sentence each. */
export function RadioCards<V extends string>(props: {
  label: string;
  value: V | undefined;
  cards: readonly RadioCard<V>[];
  onChange: (value: V) => void;
}) {
  return (
    <Radix.Root
      aria-label={props.label}
      value={props.value ?? null}
      onValueChange={(next) => props.onChange(next as V)}
      className="flex flex-col gap-2.5"
    >
      {props.cards.map(({ value, label, help, icon, beside }) => (
        <Radix.Item
          key={value}
          value={value}
          className="group flex items-center gap-3.5 rounded-3 border border-line-2 bg-surface px-4 py-3 text-left hover:bg-bg data-[state=checked]:border-accent data-[state=checked]:bg-accent-soft data-[state=checked]:shadow-[inset_0_0_0_1px_var(--accent)]"
        >
          {icon && (
            <span className="grid size-9.5 flex-none place-items-center rounded-3 bg-sunken text-text-2 group-data-[state=checked]:bg-surface group-data-[state=checked]:text-accent">
              {icon}
            </span>
          )}
          <span className="min-w-0 flex-1">
            <span className="flex flex-wrap items-center gap-2 font-medium">
              {label}
              {beside}
            </span>
            {help && <span className="block text-dense text-text-2">{help}</span>}
          </span>
          <span
            aria-hidden
            className="size-4.5 flex-none rounded-full border border-control bg-surface group-data-[state=checked]:border-[5px] group-data-[state=checked]:border-accent"
          />
        </Radix.Item>
      ))}
    </Radix.Root>
  );
}
