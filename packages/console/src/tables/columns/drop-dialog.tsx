import type { TableColumn } from '@atrium/contract/tables/schema.ts';
import { columnTexts } from '../../text/table-columns.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { useColumnActions } from './use-column-actions.ts';

/** Asks before a column is dropped. */
export function DropDialog({ column, onClose }: { column: TableColumn; onClose: () => void }) {
  const { client, table, take } = useColumnActions();
  return (
    <Confirm
      open
      onClose={onClose}
      title={columnTexts.dropTitle(column.name)}
      help={columnTexts.dropHelp}
      action={columnTexts.dropSubmit}
      onConfirm={async () => take(await client.columns.drop(table.id, column.name), columnTexts.dropped(column.name))}
    />
  );
}
