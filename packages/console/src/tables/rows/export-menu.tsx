import { Download } from 'lucide-react';
import { useClient } from '../../api/session.ts';
import { tableTexts } from '../../text/tables.ts';
import { Button } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { sayFailure, sayToast } from '../../ui/toast.tsx';
import { useTable } from '../frame/table-context.ts';
import type { RowView } from '../queries.ts';

const words = tableTexts.exportIt;

/** Downloads the rows as CSV: all of them, or those of the view. */
export function ExportMenu({ view }: { view: RowView }) {
  const client = useClient();
  const table = useTable();
  const save = async (chosen: RowView, escape_formulas: boolean) => {
    try {
      const { filter, sort } = chosen;
      const answer = await client.tables.export(
        table.id,
        { ...(filter && { filter }), ...(sort && { sort }), ...(!escape_formulas && { escape_formulas }) },
        { timeout: 600_000 },
      );
      const address = URL.createObjectURL(await answer.blob());
      const link = document.createElement('a');
      Object.assign(link, { href: address, download: `${table.sql_name}.csv` });
      link.click();
      setTimeout(() => URL.revokeObjectURL(address), 10_000);
      sayToast({ text: words.done, ...(chosen.search && { help: words.tooMany }) });
    } catch (error) {
      sayFailure(error);
    }
  };
  return (
    <Menu
      trigger={<Button icon={<Download size={15} />}>{words.action}</Button>}
      groups={[
        [
          { label: words.all, onSelect: () => void save({}, true) },
          (view.filter || view.sort) && { label: words.shown, onSelect: () => void save(view, true) },
        ].map((entry) => entry || undefined),
        [{ label: words.raw, onSelect: () => void save(view, false) }],
      ]}
    />
  );
}
