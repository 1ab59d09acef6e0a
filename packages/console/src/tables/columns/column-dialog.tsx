import type { DeletePolicy, Table, TableColumn } from '@atrium/contract/tables/schema.ts';
import type { ColumnType } from '@atrium/contract/tables/types.ts';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useWorkspace } from '../../api/session.ts';
import { useSubmit } from '../../lib/use-submit.ts';
import { columnTexts } from '../../text/table-columns.ts';
import { tableTexts } from '../../text/tables.ts';
import { ui } from '../../text/ui.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { TextArea, TextInput } from '../../ui/text-field.tsx';
import { allTablesQuery } from '../queries.ts';
import { readChoices, writeChoices } from './choices-text.ts';
import { FailingRows } from './failing-rows.tsx';
import { isUnfit, useColumnActions } from './use-column-actions.ts';

const types = Object.entries(tableTexts.types).map(([value, label]) => ({ value, label }));
const policies = Object.entries(columnTexts.policies).map(([value, label]) => ({ value, label }));

/** Adds a column, or changes what of it can be changed without touching its cells. */
export function ColumnDialog({ column, onClose }: { column?: TableColumn; onClose: () => void }) {
  const { client, table, take, explain, options } = useColumnActions();
  const { id: w } = useWorkspace();
  const formId = useId();
  const [name, setName] = useState('');
  const [type, setType] = useState<ColumnType>(column?.type ?? 'text');
  const [label, setLabel] = useState(column?.label ?? '');
  const [initial, setInitial] = useState(column?.default ?? '');
  const [indexed, setIndexed] = useState(column?.indexed ?? false);
  const [choices, setChoices] = useState(writeChoices(column?.choices ?? null));
  const [references, setReferences] = useState('');
  const [onDelete, setOnDelete] = useState<DeletePolicy>(column?.on_delete ?? 'restrict');
  const [report, setReport] = useState<NonNullable<Table['report']>>();
  const { data: tables } = useQuery({ ...allTablesQuery(client, w), enabled: type === 'reference' });
  const targets = tables?.filter(({ source, id }) => source === 'custom' && id !== table.id) ?? [];

  const body = {
    ...(label.trim() !== (column?.label ?? '') && { label: label.trim() }),
    ...(initial !== (column?.default ?? '') && { default: initial }),
    indexed,
    ...(type === 'reference' && { on_delete: onDelete }),
    ...(type === 'text' && (column || choices.trim()) && { choices: readChoices(choices) }),
  };
  const { busy, failure, faultOf, submit, form } = useSubmit(
    async () => {
      if (!column) {
        const made = { name: name.trim(), type, ...body, ...(type === 'reference' && { references }) };
        await take(await client.columns.add(table.id, made, options), columnTexts.added(made.name));
        onClose();
        return;
      }
      const send = (query: { dry_run?: boolean; on_failure?: 'null' }) =>
        client.columns.update(table.id, column.name, body, { ...options, query });
      try {
        await take(await send(report ? { on_failure: 'null' } : {}), columnTexts.saved(column.name));
        onClose();
      } catch (error) {
        if (!isUnfit(error) || report) throw error;
        const { report: found } = await send({ dry_run: true });
        setReport(found ?? undefined);
      }
    },
    { explain },
  );
  return (
    <Dialog
      open
      onClose={onClose}
      title={column ? columnTexts.editTitle(column.name) : columnTexts.addTitle}
      foot={
        <>
          <Button onClick={onClose}>{ui.cancel}</Button>
          <Button
            look={report ? 'danger' : 'primary'}
            type="submit"
            form={formId}
            busy={busy}
            disabled={!column && !name.trim()}
          >
            {report ? columnTexts.saveEmpty(report.failing_rows) : column ? columnTexts.save : columnTexts.addSubmit}
          </Button>
        </>
      }
    >
      <form ref={form} id={formId} onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        {!column && (
          <>
            <Field label={columnTexts.name} help={columnTexts.nameHelp} error={faultOf('name')}>
              <TextInput mono data-autofocus required value={name} onChange={({ target }) => setName(target.value)} />
            </Field>
            <Field label={columnTexts.type} error={faultOf('type')}>
              <Select value={type} options={types} onChange={(next) => setType(next as ColumnType)} />
            </Field>
          </>
        )}
        <Field label={columnTexts.label} help={columnTexts.labelHelp} error={faultOf('label')}>
          <TextInput maxLength={200} value={label} onChange={({ target }) => setLabel(target.value)} />
        </Field>
        {type === 'reference' && !column && (
          <Field label={columnTexts.references} error={faultOf('references')}>
            <Select
              value={references}
              empty=""
              options={targets.map((target) => ({ value: target.id, label: target.name }))}
              onChange={setReferences}
            />
          </Field>
        )}
        {type === 'reference' && (
          <Field label={columnTexts.onDelete} error={faultOf('on_delete')}>
            <Select value={onDelete} options={policies} onChange={(next) => setOnDelete(next as DeletePolicy)} />
          </Field>
        )}
        {type !== 'reference' && (
          <Field label={columnTexts.default} help={columnTexts.defaultHelp} error={faultOf('default')}>
            <TextInput value={initial} onChange={({ target }) => setInitial(target.value)} />
          </Field>
        )}
        {type === 'text' && (
          <Field label={columnTexts.choices} help={columnTexts.choicesHelp} error={faultOf('choices')}>
            <TextArea
              value={choices}
              onChange={({ target }) => {
                setChoices(target.value);
                setReport(undefined);
              }}
            />
          </Field>
        )}
        <Checkbox label={columnTexts.index} checked={indexed} onChange={setIndexed} />
        {report && <FailingRows report={report} />}
        <FailureNote failure={failure} />
      </form>
    </Dialog>
  );
}
