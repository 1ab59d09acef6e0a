import { ArrowDownUp } from 'lucide-react';
import { rowTexts } from '../../text/table-rows.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Popover } from '../../ui/popover.tsx';
import { Select } from '../../ui/select.tsx';
import type { GridColumn } from '../grid/grid-types.ts';

const words = rowTexts.sort;
const most = 3;

interface Step {
  column: string;
  down: boolean;
}
const readSort = (sort: string): Step[] =>
  sort
    .split(',')
    .filter(Boolean)
    .map((part) => ({ column: part.replace(/^-/, ''), down: part.startsWith('-') }));
const writeSort = (steps: readonly Step[]) =>
  steps
    .filter(({ column }, at) => column && steps.findIndex((step) => step.column === column) === at)
    .map(({ column, down }) => `${down ? '-' : ''}${column}`)
    .join(',');

/** The order after a click on a title: smallest first, largest first, none. */
export function nextSort(sort: string, column: string): string {
  const [first] = readSort(sort);
  if (first?.column !== column) return column;
  return first.down ? '' : `-${column}`;
}

interface SortProps {
  columns: readonly GridColumn[];
  sort: string;
  onChange: (sort: string) => void;
}

/** The order of the rows by up to three columns. */
export function SortPopover({ columns, sort, onChange }: SortProps) {
  const steps = readSort(sort);
  const [first] = steps;
  const nameOf = (name: string) => columns.find((column) => column.name === name)?.label ?? name;
  const set = (at: number, step: Step) => onChange(writeSort(steps.toSpliced(at, 1, step)));
  return (
    <Popover
      label={words.title}
      trigger={
        <Button size="small" icon={<ArrowDownUp size={14} />}>
          {first ? words.say(nameOf(first.column), first.down) : words.none}
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        {[...steps, { column: '', down: false }].slice(0, most).map((step, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the steps are told apart by their place.
          <div key={at} className="flex items-end gap-2">
            <Field label={at === 0 ? words.by : words.thenBy} className="flex-1">
              <Select
                value={step.column}
                empty={words.nothing}
                options={columns.map(({ name, label }) => ({ value: name, label }))}
                onChange={(column) => set(at, { ...step, column })}
              />
            </Field>
            {step.column && (
              <Select
                aria-label={words.direction(at + 1)}
                value={step.down ? 'down' : 'up'}
                options={[
                  { value: 'up', label: words.up },
                  { value: 'down', label: words.down },
                ]}
                onChange={(direction) => set(at, { ...step, down: direction === 'down' })}
                className="w-36"
              />
            )}
          </div>
        ))}
      </div>
    </Popover>
  );
}
