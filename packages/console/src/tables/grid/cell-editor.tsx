import { type KeyboardEvent, Suspense, useEffect, useRef, useState } from 'react';
import { lazyPart } from '../../lib/lazy-part.ts';
import { rowTexts } from '../../text/table-rows.ts';
import { cx } from '../../ui/cx.ts';
import { readCell, writeCell } from './cell-values.ts';
import type { GridColumn } from './grid-types.ts';
import { toZoned } from './zone-time.ts';

const JsonDialog = lazyPart(() => import('./json-dialog.tsx').then(({ JsonDialog }) => ({ default: JsonDialog })));
const ReferenceEditor = lazyPart(() =>
  import('./reference-editor.tsx').then(({ ReferenceEditor }) => ({ default: ReferenceEditor })),
);

export interface EditorProps {
  column: GridColumn;
  value: unknown;
  /** What was typed to begin with; it takes the place of the value. */
  typed: string | undefined;
  /** `move`: the next row becomes the active one. */
  onCommit: (value: unknown, move: boolean) => void;
  onLeave: () => void;
}

/** Edits a cell in its place, by the type of its column. */
export function CellEditor(props: EditorProps) {
  const { column } = props;
  if (column.type === 'json')
    return (
      <Suspense>
        <JsonDialog {...props} />
      </Suspense>
    );
  if (column.type === 'reference')
    return (
      <Suspense>
        <ReferenceEditor {...props} />
      </Suspense>
    );
  return <TypedEditor {...props} />;
}

const look =
  'absolute -inset-px z-10 bg-surface px-3 text-dense text-text shadow-2 outline-2 outline-accent rounded-1 border-0';

function TypedEditor({ column, value, typed, onCommit, onLeave }: EditorProps) {
  const field = useRef<HTMLInputElement & HTMLTextAreaElement & HTMLSelectElement>(null);
  const [text, setText] = useState(() => {
    if (typed !== undefined && !['date', 'datetime'].includes(column.type)) return typed;
    if (column.type === 'datetime' && typeof value === 'string') return toZoned(value);
    return writeCell(column, value);
  });
  const [fault, setFault] = useState<string>();
  const isOver = useRef(false);
  useEffect(() => {
    const element: HTMLElement | null = field.current;
    element?.focus({ preventScroll: true });
    // Fields for dates have no caret to set.
    if (element instanceof HTMLTextAreaElement || (element instanceof HTMLInputElement && element.type === 'text'))
      element.setSelectionRange(element.value.length, element.value.length);
  }, []);
  const commit = (move: boolean) => {
    if (isOver.current) return;
    const read = readCell(column, text);
    if ('fault' in read) {
      setFault(read.fault);
      return;
    }
    isOver.current = true;
    onCommit(read.value, move);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      isOver.current = true;
      onLeave();
    } else if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      commit(true);
    }
  };
  /** A fault that the person turns away from is given up: the cell stays as it was. */
  const onBlur = () => {
    if (isOver.current) return;
    if ('fault' in readCell(column, text)) {
      isOver.current = true;
      onLeave();
    } else commit(false);
  };
  const common = {
    ref: field,
    value: text,
    'aria-label': rowTexts.edit(column.label),
    'aria-invalid': fault ? (true as const) : undefined,
    ...{ onKeyDown, onBlur },
    onChange: ({ target }: { target: { value: string } }) => {
      setText(target.value);
      setFault(undefined);
    },
  };
  const types = { date: 'date', datetime: 'datetime-local' } as const;
  const type = column.type === 'date' || column.type === 'datetime' ? types[column.type] : 'text';
  return (
    <>
      {column.choices || column.type === 'boolean' ? (
        <select {...common} className={cx(look, 'h-[calc(100%+2px)] w-[calc(100%+2px)]')}>
          <option value="">{rowTexts.empty}</option>
          {(column.choices ?? booleans).map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label ?? choice.value}
            </option>
          ))}
        </select>
      ) : column.type === 'text' ? (
        <textarea
          {...common}
          rows={Math.min(8, text.split('\n').length + (text.length > 60 ? 2 : 0))}
          className={cx(look, 'min-h-[calc(100%+2px)] w-[calc(100%+2px)] min-w-48 resize-none py-2 leading-[18px]')}
        />
      ) : (
        <input
          {...common}
          type={type}
          {...(type === 'datetime-local' && { step: 1 })}
          {...(column.isNumeric && { inputMode: 'decimal' as const })}
          className={cx(look, 'h-[calc(100%+2px)] w-[calc(100%+2px)] min-w-32', column.isNumeric && 'num text-right')}
        />
      )}
      {fault && (
        <span
          role="alert"
          className="absolute top-full left-0 z-20 mt-1 rounded-2 border border-bad-line bg-bad-soft px-2 py-1 text-caption whitespace-nowrap text-bad shadow-2"
        >
          {fault}
        </span>
      )}
    </>
  );
}

const booleans = [
  { value: 'true', label: rowTexts.yes },
  { value: 'false', label: rowTexts.no },
];
