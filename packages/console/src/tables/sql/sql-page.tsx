import { useNavigate, useSearch } from '@tanstack/react-router';
import { useWorkspace } from '../../api/session.ts';
import { sqlTexts } from '../../text/table-columns.ts';
import { tableTexts } from '../../text/tables.ts';
import { Page } from '../../ui/page.tsx';
import { SqlQuestion } from './sql-question.tsx';

/** SQL over all tables of the workspace. */
export function SqlPage() {
  const { q = '' } = useSearch({ from: '/signed-in/w/$w/tables/sql' });
  const navigate = useNavigate({ from: '/w/$w/tables/sql' });
  const { id: w } = useWorkspace();
  return (
    <Page
      title={sqlTexts.title}
      crumb={{ label: tableTexts.title, to: `/w/${w}/tables` }}
      guide="tables"
      scrolls={false}
    >
      <SqlQuestion asked={q} onAsk={(next) => void navigate({ search: { q: next }, replace: true })} />
    </Page>
  );
}
