import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { t } from '../text/en.ts';
import { cx } from './cx.ts';
import { useFieldIds } from './field.tsx';
import { controlLook } from './text-field.tsx';

export interface ComboOption {
  value: string;
  label: string;
  help?: ReactNode;
}

interface ComboboxProps {
  label: string;
  query: string;
  onQuery: (query: string) => void;
  options: readonly ComboOption[];
  onChoose: (value: string) => void;
  /** What is typed may be taken as it is, even when nothing fits. */
  free?: boolean;
  placeholder?: string;
  disabled?: boolean | undefined;
  /** Below the options, such as a hint to type more. */
  foot?: ReactNode;
}

/** A field that finds entries while one types. Arrows move, Enter takes, Escape closes. */
export function Combobox(props: ComboboxProps) {
  const { label, query, onQuery, options, onChoose, free, placeholder, disabled, foot } = props;
  const id = useId();
  const field = useFieldIds();
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const current = Math.min(at, options.length - 1);
  const choose = (value: string | undefined) => {
    if (value === undefined) return;
    onChoose(value);
    onQuery('');
    setAt(0);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      setOpen(true);
      if (open && options.length) setAt((current + step + options.length) % options.length);
    } else if (event.key === 'Enter' && open) {
      event.preventDefault();
      choose(options[current]?.value ?? (free && query.trim() ? query.trim() : undefined));
    } else if (event.key === 'Escape' && open) {
      event.preventDefault();
      event.stopPropagation();
      setOpen(false);
    }
  };
  return (
    <span className="relative block">
      <input
        {...field}
        role="combobox"
        aria-label={field.id ? undefined : label}
        aria-expanded={open}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={open && options[current] ? `${id}-${current}` : undefined}
        autoComplete="off"
        value={query}
        placeholder={placeholder}
        disabled={disabled}
        onFocus={() => setOpen(true)}
        onClick={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKey}
        onChange={(event) => {
          onQuery(event.target.value);
          setOpen(true);
          setAt(0);
        }}
        className={cx(controlLook, 'h-8.5 pointer-coarse:h-11')}
      />
      <div
        hidden={!open}
        className="enter absolute inset-x-0 top-full z-30 mt-1 max-h-72 overflow-y-auto rounded-3 border border-line bg-surface p-1 shadow-2"
      >
        <div role="listbox" id={`${id}-list`} aria-label={label}>
          {options.map((option, index) => (
            <div
              key={option.value}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === current}
              // The field keeps the focus while an option is clicked.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(option.value)}
              onKeyDown={undefined}
              onMouseEnter={() => setAt(index)}
              className={cx('rounded-2 px-2 py-1.5 text-label', index === current && 'bg-sunken')}
            >
              {option.label}
              {option.help && <span className="block text-caption text-text-3">{option.help}</span>}
            </div>
          ))}
        </div>
        {options.length === 0 && <p className="px-2 py-1.5 text-dense text-text-3">{t.ui.noMatch}</p>}
        {foot && <p className="px-2 py-1.5 text-caption text-text-3">{foot}</p>}
      </div>
    </span>
  );
}
