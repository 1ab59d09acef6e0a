import { Columns3 } from 'lucide-react';
import { rowTexts } from '../../text/table-rows.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Popover } from '../../ui/popover.tsx';
import type { GridColumn } from '../grid/grid-types.ts';

const words = rowTexts.columns;

interface ColumnsProps {
  columns: readonly GridColumn[];
  hidden: ReadonlySet<string>;
  onChange: (hidden: string) => void;
}

/** Chooses the columns in view. */
export function ColumnsPopover({ columns, hidden, onChange }: ColumnsProps) {
  const toggle = (name: string, isShown: boolean) => {
    const next = new Set(hidden);
    if (isShown) next.delete(name);
    else next.add(name);
    // The last column stays: a grid without any can't be left by its keys.
    if (next.size < columns.length) onChange([...next].join(','));
  };
  return (
    <Popover
      label={words.title}
      trigger={
        <Button size="small" icon={<Columns3 size={14} />}>
          {hidden.size > 0 ? words.hidden(hidden.size) : words.action}
        </Button>
      }
    >
      <div className="flex flex-col gap-2">
        <p className="text-label font-medium">{words.title}</p>
        {columns.map(({ name, label }) => (
          <Checkbox
            key={name}
            label={label}
            checked={!hidden.has(name)}
            onChange={(isShown) => toggle(name, isShown)}
          />
        ))}
        {hidden.size > 0 && (
          <Button size="small" className="self-start" onClick={() => onChange('')}>
            {words.showAll}
          </Button>
        )}
      </div>
    </Popover>
  );
}
