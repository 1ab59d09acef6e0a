import type { DeletePolicy, TableColumn } from '@atrium/contract/tables/schema.ts';
import type { ColumnType } from '@atrium/contract/tables/types.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { describeFailure } from '../../api/failures.ts';
import { useWorkspace } from '../../api/session.ts';
import { useSubmit } from '../../lib/use-submit.ts';
import { columnTexts } from '../../text/table-columns.ts';
import { tableTexts } from '../../text/tables.ts';
import { ui } from '../../text/ui.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { allTablesQuery } from '../queries.ts';
import { FailingRows } from './failing-rows.tsx';
import { useColumnActions } from './use-column-actions.ts';

/** Changes the type of a column after a trial over all its values. */
export function RetypeDialog({ column, onClose }: { column: TableColumn; onClose: () => void }) {
  const { client, table, take, explain, options } = useColumnActions();
  const { id: w } = useWorkspace();
  const [type, setType] = useState<ColumnType | ''>('');
  const [references, setReferences] = useState('');
  const [onDelete, setOnDelete] = useState<DeletePolicy>('restrict');
  const isReference = type === 'reference';
  const { data: tables } = useQuery({ ...allTablesQuery(client, w), enabled: isReference });
  const isChosen = type !== '' && (!isReference || references !== '');
  const body = { new_type: type as ColumnType, ...(isReference && { references, on_delete: onDelete }) };
  const trial = useQuery({
    queryKey: [w, 'tables', 'retype', table.id, table.etag, column.name, type, references],
    queryFn: () =>
      client.columns.changeType(table.id, column.name, body, { query: { dry_run: true, on_failure: 'null' } }),
    enabled: isChosen,
    staleTime: 0,
    gcTime: 0,
  });
  const report = isChosen ? trial.data?.report : undefined;
  const failing = report?.failing_rows ?? 0;
  const { busy, failure, submit } = useSubmit(
    async () => {
      const query = failing > 0 ? { on_failure: 'null' as const } : {};
      const changed = await client.columns.changeType(table.id, column.name, body, { ...options, query });
      await take(changed, columnTexts.saved(column.name));
      onClose();
    },
    { explain },
  );
  const types = Object.entries(tableTexts.types).map(([value, label]) => ({ value, label }));
  return (
    <Dialog
      open
      onClose={onClose}
      title={columnTexts.retypeTitle(column.name)}
      help={columnTexts.retypeHelp}
      foot={
        <>
          <Button onClick={onClose}>{ui.cancel}</Button>
          <Button
            look={failing > 0 ? 'danger' : 'primary'}
            busy={busy}
            disabled={!report || trial.isFetching}
            onClick={() => void submit()}
          >
            {failing > 0 ? columnTexts.emptyThem(failing) : columnTexts.retypeSubmit}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <Field label={columnTexts.newType}>
          <Select
            value={type}
            empty={tableTexts.types[column.type]}
            options={types.filter(({ value }) => value !== column.type)}
            onChange={(next) => setType(next as ColumnType | '')}
          />
        </Field>
        {isReference && (
          <>
            <Field label={columnTexts.references}>
              <Select
                value={references}
                empty=""
                options={(tables ?? [])
                  .filter(({ source, id }) => source === 'custom' && id !== table.id)
                  .map(({ id, name }) => ({ value: id, label: name }))}
                onChange={setReferences}
              />
            </Field>
            <Field label={columnTexts.onDelete}>
              <Select
                value={onDelete}
                options={Object.entries(columnTexts.policies).map(([value, label]) => ({ value, label }))}
                onChange={(next) => setOnDelete(next as DeletePolicy)}
              />
            </Field>
          </>
        )}
        {isChosen && trial.isFetching && (
          <p role="status" className="flex items-center gap-2 text-dense text-text-2">
            <Spinner /> {columnTexts.trying}
          </p>
        )}
        {report && !trial.isFetching && <FailingRows report={report} />}
        <FailureNote failure={failure ?? (isChosen && trial.error ? describeFailure(trial.error) : undefined)} />
      </div>
    </Dialog>
  );
}
