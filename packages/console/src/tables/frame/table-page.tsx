import type { ReactNode } from 'react';
import { useWorkspace } from '../../api/session.ts';
import { tableTexts } from '../../text/tables.ts';
import { Chip } from '../../ui/chip.tsx';
import { Page } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useTable } from './table-context.ts';

const words = tableTexts.tabs;

/** A tab of a table: its name, the tabs, and what the tab itself can do. */
export function TablePage(props: { actions?: ReactNode; children: ReactNode; scrolls?: boolean }) {
  const { actions, children, scrolls = true } = props;
  const { id: w } = useWorkspace();
  const table = useTable();
  const base = `/w/${w}/tables/${table.id}`;
  const users = table.used_by;
  return (
    <Page
      title={table.name}
      crumb={{ label: tableTexts.title, to: `/w/${w}/tables` }}
      guide="tables"
      beside={
        <span className="flex gap-1.5 max-narrow:hidden">
          {table.source === 'platform' && <Chip>{tableTexts.list.readOnly}</Chip>}
          {users.slice(0, 2).map(({ id, name }) => (
            <Chip key={id}>{`${words.usedBy} ${name}`}</Chip>
          ))}
        </span>
      }
      actions={actions}
      tabs={
        <Tabs
          label={words.label}
          tabs={[
            { label: words.rows, to: base, exact: true },
            { label: words.columns, to: `${base}/columns`, count: table.columns.length },
            { label: words.sql, to: `${base}/sql` },
            { label: words.usedBy, to: `${base}/used-by`, count: users.length },
          ]}
        />
      }
      scrolls={scrolls}
    >
      {children}
    </Page>
  );
}
