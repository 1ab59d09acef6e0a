import type { ColumnType } from '@atrium/contract/tables/types.ts';
import { Plus, X } from 'lucide-react';
import { useId, useState } from 'react';
import { useClient } from '../../api/session.ts';
import { useSubmit } from '../../lib/use-submit.ts';
import { t } from '../../text/en.ts';
import { tableTexts } from '../../text/tables.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Field } from '../../ui/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Select } from '../../ui/select.tsx';
import { TextArea, TextInput } from '../../ui/text-field.tsx';
import { useTableActions } from './use-table-actions.ts';

const words = tableTexts.create;
/** References need a table and a rule: they are added in the tab Columns. */
const types = Object.entries(tableTexts.types)
  .filter(([value]) => value !== 'reference')
  .map(([value, label]) => ({ value, label }));

interface Draft {
  key: number;
  name: string;
  type: ColumnType;
}

/** An empty table with its first columns. */
export function NewTable({ onClose }: { onClose: () => void }) {
  const client = useClient();
  const actions = useTableActions();
  const formId = useId();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [idType, setIdType] = useState<'uuid' | 'autoincrement'>('autoincrement');
  const [columns, setColumns] = useState<readonly Draft[]>([{ key: 0, name: '', type: 'text' }]);
  const change = (key: number, next: Partial<Draft>) =>
    setColumns((old) => old.map((column) => (column.key === key ? { ...column, ...next } : column)));
  const used = columns.filter((column) => column.name.trim() !== '');
  const { busy, failure, faultOf, submit, form } = useSubmit(async () => {
    const made = await client.tables.create({
      ...{ name: name.trim(), id_type: idType, ...(description.trim() && { description: description.trim() }) },
      columns: used.map((column) => ({ name: column.name.trim(), type: column.type })),
    });
    await actions.refresh();
    onClose();
    await actions.open(made.id);
  });
  /** Faults name a column by its place among those that were sent. */
  const columnFault = (draft: Draft) =>
    used.includes(draft) ? faultOf(`columns.${used.indexOf(draft)}.name`) : undefined;
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={words.title}
      help={words.help}
      foot={
        <>
          <Button onClick={onClose}>{t.ui.cancel}</Button>
          <Button look="primary" type="submit" form={formId} busy={busy} disabled={!name.trim()}>
            {words.submit}
          </Button>
        </>
      }
    >
      <form ref={form} id={formId} onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <Field label={words.name} error={faultOf('name')}>
          <TextInput
            data-autofocus
            required
            maxLength={200}
            value={name}
            placeholder={words.namePlaceholder}
            onChange={({ target }) => setName(target.value)}
          />
        </Field>
        <Field label={words.description} help={words.descriptionHelp} error={faultOf('description')}>
          <TextArea maxRows={4} value={description} onChange={({ target }) => setDescription(target.value)} />
        </Field>
        <Field label={words.ids} group>
          <Segmented
            label={words.ids}
            value={idType}
            options={[
              { value: 'autoincrement', label: words.idTypes.autoincrement },
              { value: 'uuid', label: words.idTypes.uuid },
            ]}
            onChange={setIdType}
          />
        </Field>
        <Field label={words.columns} group help={words.nameHelp}>
          <ul className="flex flex-col gap-2">
            {columns.map((column, index) => (
              <li key={column.key} className="flex items-start gap-2">
                <div className="min-w-0 flex-1">
                  <TextInput
                    mono
                    aria-label={words.column(index + 1)}
                    aria-invalid={columnFault(column) ? true : undefined}
                    value={column.name}
                    onChange={({ target }) => change(column.key, { name: target.value })}
                  />
                  {columnFault(column) && <p className="text-dense text-bad">{columnFault(column)}</p>}
                </div>
                <Select
                  aria-label={words.type(index + 1)}
                  value={column.type}
                  options={types}
                  onChange={(type) => change(column.key, { type: type as ColumnType })}
                  className="w-44 max-phone:w-32"
                />
                <IconButton
                  label={words.removeColumn(index + 1)}
                  icon={<X size={15} />}
                  onClick={() => setColumns((old) => old.filter(({ key }) => key !== column.key))}
                />
              </li>
            ))}
          </ul>
          <Button
            size="small"
            className="self-start"
            icon={<Plus size={14} />}
            onClick={() => setColumns((old) => [...old, { key: (old.at(-1)?.key ?? 0) + 1, name: '', type: 'text' }])}
          >
            {words.addColumn}
          </Button>
        </Field>
        <FailureNote failure={failure} />
      </form>
    </Dialog>
  );
}
