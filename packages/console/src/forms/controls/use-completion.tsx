import { type ChangeEvent, type KeyboardEvent, useId, useState } from 'react';
import { formTexts } from '../../text/forms.ts';
import { cx } from '../../ui/cx.ts';
import { useVariableNames } from './use-variable-names.ts';
import { insertVariable, typedVariable } from './variable-completion.ts';

type TextField = HTMLInputElement | HTMLTextAreaElement;
interface Caret {
  field: TextField;
  at: number;
}

/** Offers the workspace's variables after `{{` in a text. Arrows move, Enter takes, Escape closes. */
export function useCompletion(text: string, onChange: (text: string) => void) {
  const id = useId();
  const [caret, setCaret] = useState<Caret>();
  const [picked, setPicked] = useState(0);
  const typed = caret && typedVariable(text, caret.at);
  const found = useVariableNames(typed?.name);
  const open = typed !== undefined && found.length > 0;
  const current = Math.min(picked, found.length - 1);

  const take = (name: string | undefined) => {
    if (!caret || name === undefined) return;
    const next = insertVariable(text, caret.at, name);
    onChange(next.text);
    setCaret(undefined);
    requestAnimationFrame(() => caret.field.setSelectionRange(next.caret, next.caret));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!open || event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setPicked((current + step + found.length) % found.length);
    else if (event.key === 'Enter') take(found[current]?.name);
    else if (event.key === 'Escape') setCaret(undefined);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const list = open && (
    <div
      role="listbox"
      id={`${id}-list`}
      aria-label={formTexts.variables}
      className="enter absolute top-full left-0 z-30 -mt-1 w-72 max-w-full rounded-3 border border-line bg-surface p-1 shadow-2"
    >
      {found.map(({ name, help }, index) => (
        <div
          key={name}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === current}
          onMouseDown={(event) => {
            event.preventDefault();
            take(name);
          }}
          className={cx('rounded-2 px-2 py-1.5', index === current && 'bg-sunken')}
        >
          <span className="font-mono text-code break-all">{name}</span>
          {help && <span className="block text-caption text-text-3">{help}</span>}
        </div>
      ))}
    </div>
  );
  return {
    list,
    /** For the field; its parent is `relative`, with the list behind it. */
    props: {
      'aria-autocomplete': 'list',
      'aria-controls': open ? `${id}-list` : undefined,
      'aria-activedescendant': open ? `${id}-${current}` : undefined,
      onKeyDown,
      onBlur: () => setCaret(undefined),
      onChange: ({ target }: ChangeEvent<TextField>) => {
        onChange(target.value);
        setCaret({ field: target, at: target.selectionStart ?? target.value.length });
        setPicked(0);
      },
    } as const,
  };
}
