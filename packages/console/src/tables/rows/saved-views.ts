import type { Table } from '@atrium/contract/tables/schema.ts';
import type { ViewState } from '../grid/undo-store.ts';

/** A view under a name. Views are kept in `meta` of the table, for everybody who reads it. */
export interface SavedView extends ViewState {
  name: string;
}

const isView = (value: unknown): value is SavedView =>
  typeof value === 'object' && value !== null && typeof (value as SavedView).name === 'string';
const text = (value: unknown) => (typeof value === 'string' && value ? value : undefined);

/** The views of a table; other data of clients in `meta` is left alone. */
export function readViews({ meta }: Pick<Table, 'meta'>): SavedView[] {
  const { views } = meta;
  if (!Array.isArray(views)) return [];
  return views.filter(isView).map(({ name, filter, sort, search, hidden }) => ({
    ...{ name, filter: text(filter), sort: text(sort), search: text(search), hidden: text(hidden) },
  }));
}

/** `meta` with a view of this name, in place of one that has the name already. */
export const withView = (table: Pick<Table, 'meta'>, view: SavedView): Table['meta'] => ({
  ...table.meta,
  views: [...readViews(table).filter(({ name }) => name !== view.name), view],
});

export const withoutView = (table: Pick<Table, 'meta'>, name: string): Table['meta'] => ({
  ...table.meta,
  views: readViews(table).filter((view) => view.name !== name),
});

export const isSameView = (one: ViewState, other: ViewState): boolean =>
  (['filter', 'sort', 'search', 'hidden'] as const).every((key) => (one[key] || '') === (other[key] || ''));
