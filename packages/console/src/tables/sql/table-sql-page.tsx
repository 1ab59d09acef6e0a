import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTable } from '../frame/table-context.ts';
import { TablePage } from '../frame/table-page.tsx';
import { SqlQuestion } from './sql-question.tsx';

/** SQL that begins with one table. */
export function TableSqlPage() {
  const table = useTable();
  const { q = '' } = useSearch({ from: '/signed-in/w/$w/tables/$id/sql' });
  const navigate = useNavigate({ from: '/w/$w/tables/$id/sql' });
  return (
    <TablePage scrolls={false}>
      <SqlQuestion
        asked={q}
        initial={`select *\nfrom ${table.sql_name}\nlimit 100`}
        onAsk={(next) => void navigate({ search: { q: next }, replace: true })}
      />
    </TablePage>
  );
}
