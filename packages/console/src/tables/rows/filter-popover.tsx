import type { FilterOperator } from '@atrium/contract/tables/schema.ts';
import { Plus } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { rowTexts } from '../../text/table-rows.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Popover } from '../../ui/popover.tsx';
import { Select } from '../../ui/select.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import type { GridColumn } from '../grid/grid-types.ts';
import { type Filter, operatorsOf, readFilterValue, sayOperator } from './filters.ts';

const words = rowTexts.filter;

/** Makes a condition on the rows. */
export function FilterPopover({ columns, onAdd }: { columns: readonly GridColumn[]; onAdd: (filter: Filter) => void }) {
  const [open, setOpen] = useState(false);
  return (
    <Popover
      label={words.title}
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button size="small" icon={<Plus size={14} />}>
          {words.action}
        </Button>
      }
    >
      <FilterForm
        columns={columns}
        onAdd={(filter) => {
          setOpen(false);
          onAdd(filter);
        }}
      />
    </Popover>
  );
}

function FilterForm({ columns, onAdd }: { columns: readonly GridColumn[]; onAdd: (filter: Filter) => void }) {
  const [name, setName] = useState((columns.find(({ isId }) => !isId) ?? columns[0])?.name ?? '');
  const column = columns.find((entry) => entry.name === name);
  const operators = column ? operatorsOf(column.type, column.choices !== null) : [];
  const [chosen, setChosen] = useState<FilterOperator>();
  const op = chosen && operators.includes(chosen) ? chosen : (operators[0] ?? 'eq');
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string>();
  if (!column) return null;
  const isList = op === 'in' || op === 'not_in';
  const options =
    op === 'is_null'
      ? [
          { value: 'true', label: rowTexts.yes },
          { value: 'false', label: rowTexts.no },
        ]
      : column.type === 'boolean'
        ? [
            { value: 'true', label: rowTexts.yes },
            { value: 'false', label: rowTexts.no },
          ]
        : column.choices && !isList
          ? column.choices.map(({ value, label }) => ({ value, label: label ?? value }))
          : undefined;
  const value = options && !options.some((option) => option.value === text) ? (options[0]?.value ?? '') : text;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    const read = readFilterValue(column, op, value);
    if ('fault' in read) setFault(read.fault);
    else onAdd({ column: name, op, value: read.value });
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <p className="text-label font-medium">{words.title}</p>
      <Field label={words.column}>
        <Select
          value={name}
          options={columns.map((entry) => ({ value: entry.name, label: entry.label }))}
          onChange={(next) => {
            setName(next);
            setFault(undefined);
          }}
        />
      </Field>
      <Field label={words.operator}>
        <Select
          value={op}
          options={operators.map((entry) => ({ value: entry, label: sayOperator(entry, column.type) }))}
          onChange={(next) => setChosen(next as FilterOperator)}
        />
      </Field>
      <Field label={words.value} error={fault} {...(isList && { help: words.listHelp })}>
        {options ? (
          <Select value={value} options={options} onChange={setText} />
        ) : (
          <TextInput
            type={column.type === 'date' && !isList ? 'date' : 'text'}
            value={text}
            onChange={({ target }) => {
              setText(target.value);
              setFault(undefined);
            }}
          />
        )}
      </Field>
      <Button look="primary" type="submit" className="self-end">
        {words.add}
      </Button>
    </form>
  );
}
