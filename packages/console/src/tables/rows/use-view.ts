import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useWorkspace } from '../../api/session.ts';
import { note, type ViewState } from '../grid/undo-store.ts';

/** The view of the rows that the address has, and how it is changed: each change can be taken back. */
export function useView(tableId: string) {
  const search = useSearch({ from: '/signed-in/w/$w/tables/$id/' });
  const navigate = useNavigate({ from: '/w/$w/tables/$id/' });
  const { id: w } = useWorkspace();
  const { filter, sort, search: find, hidden } = search;
  const view: ViewState = useMemo(() => ({ filter, sort, search: find, hidden }), [filter, sort, find, hidden]);
  const rowView = useMemo(
    () => ({ ...(filter && { filter }), ...(sort && { sort }), ...(find?.trim() && { search: find.trim() }) }),
    [filter, sort, find],
  );
  const show = (next: ViewState) =>
    void navigate({
      search: {
        ...{ filter: next.filter || undefined, sort: next.sort || undefined, search: next.search || undefined },
        ...{ hidden: next.hidden || undefined, cell: undefined },
      },
      replace: true,
    });
  /** Shows something else; with a label it can be taken back. */
  const change = (changes: Partial<ViewState>, label?: string) => {
    const after = { ...view, ...changes };
    show(after);
    if (label) note(`${w}.${tableId}`, { label, view: { before: view, after } });
  };
  const hiddenColumns = useMemo(() => new Set(hidden?.split(',').filter(Boolean)), [hidden]);
  return { view, rowView, show, change, hiddenColumns, cell: search.cell };
}
