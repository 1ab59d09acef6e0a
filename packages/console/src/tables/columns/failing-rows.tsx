import type { ChangeReport } from '@atrium/contract/tables/schema.ts';
import { columnTexts } from '../../text/table-columns.ts';
import { SmallTable } from '../import/small-table.tsx';

/** What a trial of a change found: the rows whose values do not fit. */
export function FailingRows({ report }: { report: ChangeReport }) {
  const { failing_rows, examples } = report;
  if (failing_rows === 0)
    return (
      <p role="status" className="rounded-3 bg-ok-soft px-3.5 py-2.5 text-dense">
        {columnTexts.allFit}
      </p>
    );
  return (
    <div role="status" className="flex flex-col gap-2 rounded-3 bg-warn-soft px-3.5 py-2.5 text-dense">
      <p className="font-medium">{columnTexts.failing(failing_rows)}</p>
      <p className="text-text-2">{columnTexts.failingHelp}</p>
      <div className="bg-surface">
        <SmallTable
          label={columnTexts.failing(failing_rows)}
          titles={[columnTexts.row, columnTexts.value]}
          rows={examples.map(({ id, value }) => [String(id), value])}
        />
      </div>
    </div>
  );
}
