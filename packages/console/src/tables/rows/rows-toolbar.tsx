import type { Table } from '@atrium/contract/tables/schema.ts';
import { ListFilter, MoreHorizontal, Redo2, Undo2 } from 'lucide-react';
import { type RefObject, useEffect, useState } from 'react';
import { sayKeys } from '../../lib/shortcuts.ts';
import { rowTexts } from '../../text/table-rows.ts';
import { Chip, Dot } from '../../ui/chip.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import type { MenuEntry } from '../../ui/menu-root.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import type { GridColumn } from '../grid/grid-types.ts';
import type { ViewState } from '../grid/undo-store.ts';
import type { useUndo } from '../grid/use-undo.ts';
import { ColumnsPopover } from './columns-popover.tsx';
import { FilterPopover } from './filter-popover.tsx';
import { readFilters, sayFilter, writeFilters } from './filters.ts';
import { SortPopover } from './sort-popover.tsx';
import { ViewsMenu } from './views-menu.tsx';

const { commands } = rowTexts;

interface ToolbarProps {
  table: Table;
  /** All columns, also hidden ones. */
  columns: readonly GridColumn[];
  view: ViewState;
  hidden: ReadonlySet<string>;
  onChange: (changes: Partial<ViewState>, label?: string) => void;
  undo: ReturnType<typeof useUndo>;
  actions: readonly (MenuEntry | false)[][];
  refused: string | false;
  isRecent: boolean;
  find: RefObject<HTMLInputElement | null>;
}

/** Views, filters, order, columns, find; undo; what can be done with the chosen cells. */
export function RowsToolbar(props: ToolbarProps) {
  const { table, columns, view, hidden, onChange, undo, actions, refused, isRecent, find } = props;
  const filters = readFilters(view.filter);
  const setFilters = (next: typeof filters) => onChange({ filter: writeFilters(next) }, commands.filter);
  return (
    <div
      role="toolbar"
      aria-label={rowTexts.toolbar}
      className="flex flex-none flex-wrap items-center gap-2 border-b border-line px-5 py-2 max-narrow:px-3"
    >
      <ViewsMenu
        {...{ table, view, refused }}
        onShow={({ filter, sort, search, hidden: columnsOff }, name) =>
          onChange({ filter, sort, search, hidden: columnsOff }, commands.view(name))
        }
      />
      {filters.map((filter, at) => {
        const said = sayFilter(filter, columns);
        return (
          <Chip
            key={said}
            tone="accent"
            icon={<ListFilter size={12} aria-hidden />}
            onRemove={() => setFilters(filters.toSpliced(at, 1))}
            removeLabel={rowTexts.filter.remove(said)}
          >
            {said}
          </Chip>
        );
      })}
      <FilterPopover columns={columns} onAdd={(filter) => setFilters([...filters, filter])} />
      <SortPopover columns={columns} sort={view.sort ?? ''} onChange={(sort) => onChange({ sort }, commands.sort)} />
      <ColumnsPopover
        columns={columns}
        hidden={hidden}
        onChange={(next) => onChange({ hidden: next }, commands.hide)}
      />
      <FindField value={view.search ?? ''} onChange={(search) => onChange({ search })} field={find} />
      <span className="ml-auto flex items-center gap-1">
        {isRecent && (
          <span className="flex items-center gap-1.5 pr-2 text-caption text-text-2 max-narrow:hidden">
            <Dot tone="accent" />
            {rowTexts.recent}
          </span>
        )}
        <IconButton
          label={undo.undoable ? rowTexts.undo(undo.undoable) : rowTexts.nothingToUndo}
          keys={sayKeys('mod+z')}
          icon={<Undo2 size={16} />}
          aria-disabled={!undo.undoable}
          className={undo.undoable ? '' : 'opacity-50'}
          onClick={undo.undo}
        />
        <IconButton
          label={undo.redoable ? rowTexts.redo(undo.redoable) : rowTexts.nothingToRedo}
          keys={sayKeys('mod+shift+z')}
          icon={<Redo2 size={16} />}
          aria-disabled={!undo.redoable}
          className={undo.redoable ? '' : 'opacity-50'}
          onClick={undo.redo}
        />
        <Menu
          trigger={<IconButton label={rowTexts.actions.label} icon={<MoreHorizontal size={16} />} />}
          groups={[...actions]}
        />
      </span>
    </div>
  );
}

/** The address follows once the person has stopped typing for a moment. */
function FindField(props: {
  value: string;
  onChange: (search: string) => void;
  field: RefObject<HTMLInputElement | null>;
}) {
  const { value, onChange, field } = props;
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is typed starts the wait.
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => onChange(typed), 250);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <TextInput
      ref={field}
      type="search"
      aria-label={rowTexts.find}
      placeholder={rowTexts.find}
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
      className="h-7! max-w-44 text-dense! pointer-coarse:h-11!"
    />
  );
}
