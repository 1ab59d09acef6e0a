import { type KeyboardEvent, useId, useState } from 'react';
import { formTexts } from '../../text/forms.ts';
import { Chip } from '../../ui/chip.tsx';
import { cx } from '../../ui/cx.ts';
import { TextArea } from '../../ui/text-field.tsx';
import { plainText } from '../field-values.ts';
import { useFoundReferences } from '../use-references.ts';
import type { ControlProps } from './control-props.ts';
import { countWords, insertVariable, typedVariable, variablesIn } from './variable-completion.ts';

interface Caret {
  area: HTMLTextAreaElement;
  at: number;
}

/** A text that variables are filled into: `{{` offers the workspace's variables. */
export function TemplateControl({ field, value, onChange, disabled }: ControlProps) {
  const text = plainText(value);
  const id = useId();
  const [caret, setCaret] = useState<Caret>();
  const [picked, setPicked] = useState(0);
  const typed = caret && typedVariable(text, caret.at);
  const found = useFoundReferences('variable', typed?.name ?? '', typed !== undefined).slice(0, 8);
  const open = typed !== undefined && found.length > 0;
  const current = Math.min(picked, found.length - 1);

  const take = (name: string | undefined) => {
    if (!caret || name === undefined) return;
    const next = insertVariable(text, caret.at, name);
    onChange(next.text);
    setCaret(undefined);
    requestAnimationFrame(() => caret.area.setSelectionRange(next.caret, next.caret));
  };
  const onKey = (event: KeyboardEvent) => {
    if (!open || event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setPicked((current + step + found.length) % found.length);
    else if (event.key === 'Enter') take(found[current]?.name);
    else if (event.key === 'Escape') setCaret(undefined);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const used = variablesIn(text);
  return (
    <div className="relative">
      <TextArea
        value={text}
        placeholder={plainText(field.default)}
        disabled={disabled}
        maxRows={20}
        dir="auto"
        aria-autocomplete="list"
        aria-controls={open ? `${id}-list` : undefined}
        aria-activedescendant={open ? `${id}-${current}` : undefined}
        onKeyDown={onKey}
        onBlur={() => setCaret(undefined)}
        onChange={({ target }) => {
          onChange(target.value);
          setCaret({ area: target, at: target.selectionStart });
          setPicked(0);
        }}
      />
      {open && (
        <div
          role="listbox"
          id={`${id}-list`}
          aria-label={formTexts.variables}
          className="enter absolute top-full left-0 z-30 -mt-1 w-72 rounded-3 border border-line bg-surface p-1 shadow-2"
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
              <span className="font-mono text-code">{name}</span>
              {help && <span className="block truncate text-caption text-text-3">{help}</span>}
            </div>
          ))}
        </div>
      )}
      {!disabled && (
        <p className="mt-1.5 flex flex-wrap items-center gap-1.5 text-caption text-text-3">
          <kbd>{'{{'}</kbd> {formTexts.typeForVariable}
          {used.map((name) => (
            <Chip key={name} tone="info">
              {name}
            </Chip>
          ))}
          <span className="num ml-auto">{formTexts.words(countWords(text))}</span>
        </p>
      )}
    </div>
  );
}
