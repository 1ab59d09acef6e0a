import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { cx } from '../../ui/cx.ts';
import { TextInput } from '../../ui/text-field.tsx';

interface Pick {
  id: string;
  label: string;
  help?: string | undefined;
  icon?: ReactNode;
  /** The heading that it stands under. */
  section?: string | undefined;
}

interface PickListProps {
  label: string;
  listLabel: string;
  picks: readonly Pick[];
  query: string;
  onQuery: (query: string) => void;
  onPick: (id: string) => void;
  /** Shown when nothing fits. */
  none: string;
}

/** A field and the list that it narrows. Arrows move, Enter takes. */
export function PickList({ label, listLabel, picks, query, onQuery, onPick, none }: PickListProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(0);
  const current = Math.max(0, Math.min(at, picks.length - 1));
  const move = (to: number) => {
    setAt(to);
    list.current?.querySelector(`[data-at="${to}"]`)?.scrollIntoView({ block: 'nearest' });
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && picks.length) move((current + step + picks.length) % picks.length);
    else if (event.key === 'Enter' && picks[current]) onPick(picks[current].id);
    else return;
    event.preventDefault();
  };
  return (
    <div className="flex min-h-0 flex-col gap-2">
      <TextInput
        data-autofocus
        role="combobox"
        aria-label={label}
        aria-expanded
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={picks[current] ? `${id}-${current}` : undefined}
        autoComplete="off"
        placeholder={label}
        value={query}
        onKeyDown={onKey}
        onChange={({ target }) => {
          onQuery(target.value);
          setAt(0);
        }}
      />
      <div ref={list} role="listbox" id={`${id}-list`} aria-label={listLabel} className="max-h-96 overflow-y-auto">
        {picks.map((pick, index) => (
          <div key={pick.id}>
            {pick.section && pick.section !== picks[index - 1]?.section && (
              <p aria-hidden className="px-2 pt-2.5 pb-1 text-caption font-medium text-text-3">
                {pick.section}
              </p>
            )}
            <div
              id={`${id}-${index}`}
              data-at={index}
              role="option"
              tabIndex={-1}
              aria-selected={index === current}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onPick(pick.id)}
              onKeyDown={undefined}
              onMouseEnter={() => setAt(index)}
              className={cx('flex items-start gap-2.5 rounded-2 px-2 py-1.5', index === current && 'bg-sunken')}
            >
              {pick.icon && <span className="mt-0.5 flex-none text-text-2">{pick.icon}</span>}
              <span className="min-w-0">
                <span className="block text-label font-medium">{pick.label}</span>
                {pick.help && <span className="block text-caption text-text-3">{pick.help}</span>}
              </span>
            </div>
          </div>
        ))}
        {picks.length === 0 && <p className="px-2 py-3 text-dense text-text-3">{none}</p>}
      </div>
    </div>
  );
}
