import { useQuery } from '@tanstack/react-query';
import { Outlet, useParams } from '@tanstack/react-router';
import { useClient, useWorkspace } from '../../api/session.ts';
import { tableTexts } from '../../text/tables.ts';
import { Page } from '../../ui/page.tsx';
import { RecordFailure } from '../../ui/record-failure.tsx';
import { Loading } from '../../ui/states.tsx';
import { tableQuery } from '../queries.ts';
import { TableContext } from './table-context.ts';

/** Loads the table of the address for its tabs. */
export function TableFrame() {
  const { id } = useParams({ from: '/signed-in/w/$w/tables/$id' });
  const { id: w } = useWorkspace();
  const { data, error, refetch } = useQuery(tableQuery(useClient(), w, id));
  if (data)
    return (
      <TableContext value={data}>
        <Outlet key={`${w}-${id}`} />
      </TableContext>
    );
  const list = { label: tableTexts.title, to: `/w/${w}/tables` };
  return (
    <Page title={tableTexts.title} crumb={list} guide="tables">
      {error ? (
        <RecordFailure error={error} onRetry={() => void refetch()} list={list} />
      ) : (
        <Loading rows={8} onRetry={() => void refetch()} />
      )}
    </Page>
  );
}
