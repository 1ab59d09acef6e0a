import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { rowTexts } from '../../text/table-rows.ts';
import { Combobox } from '../../ui/combobox.tsx';
import type { EditorProps } from './cell-editor.tsx';
import { readCell } from './cell-values.ts';

/** The first words of a row, to tell it from others. */
const sayRow = ({ id, ...cells }: Record<string, unknown>) =>
  Object.values(cells)
    .filter((cell) => typeof cell === 'string' || typeof cell === 'number')
    .slice(0, 3)
    .join(' · ') || String(id);

/** Finds a row of the table that a column refers to. An id may be typed as well. */
export function ReferenceEditor({ column, value, typed, onCommit, onLeave }: EditorProps) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const [query, setQuery] = useState(typed ?? '');
  const frame = useRef<HTMLSpanElement>(null);
  const isOver = useRef(false);
  const { data } = useQuery({
    queryKey: [w, 'rows', column.references, 'find', query],
    queryFn: () =>
      client.rows.list(column.references as string, { size: 20, ...(query.trim() && { search: query.trim() }) }),
    placeholderData: keepPreviousData,
    enabled: column.references !== null,
  });
  useEffect(() => frame.current?.querySelector('input')?.focus({ preventScroll: true }), []);
  const end = (action: () => void) => {
    if (isOver.current) return;
    isOver.current = true;
    action();
  };
  const choose = (id: string) => {
    const read = readCell(column, id);
    if ('value' in read) end(() => onCommit(read.value, true));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === 'Escape') end(onLeave);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the field inside is what takes the keys.
    <span
      ref={frame}
      className="absolute -inset-px z-10 block min-w-60 bg-surface shadow-2"
      onKeyDown={onKeyDown}
      onBlur={() => end(onLeave)}
    >
      <Combobox
        label={rowTexts.edit(column.label)}
        query={query}
        onQuery={setQuery}
        placeholder={value === null || value === undefined ? '' : String(value)}
        free
        options={(data?.items ?? []).map((row) => ({
          value: String(row.id),
          label: sayRow(row),
          help: String(row.id),
        }))}
        onChoose={choose}
      />
    </span>
  );
}
