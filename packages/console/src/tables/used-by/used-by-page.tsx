import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Link2 } from 'lucide-react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { tableTexts } from '../../text/tables.ts';
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx';
import { useTable } from '../frame/table-context.ts';
import { TablePage } from '../frame/table-page.tsx';
import { usesQuery } from '../queries.ts';

const words = tableTexts.usedBy;
const places: Partial<Record<keyof typeof words.kinds, string>> = {
  ...{ agent: 'agents', workflow: 'workflows', conversation: 'chat', knowledge_base: 'knowledge' },
};

/** The agents, workflows and others that read or write the table, each leading to itself. */
export function UsedByPage() {
  const { id: w } = useWorkspace();
  const table = useTable();
  const { data, error, isPending, refetch } = useQuery(usesQuery(useClient(), w, table.id));
  return (
    <TablePage>
      <div className="mx-auto flex max-w-220 flex-col gap-3 px-5 py-4 max-narrow:px-3">
        {isPending && <Loading onRetry={() => void refetch()} />}
        {error && <ErrorState error={error} onRetry={() => void refetch()} className="m-0" />}
        {data && data.items.length === 0 && data.hidden === 0 && (
          <EmptyState icon={<Link2 size={20} aria-hidden />} {...words.none} />
        )}
        {data && data.items.length > 0 && (
          <ul aria-label={words.list} className="divide-y divide-line rounded-3 border border-line">
            {data.items.map(({ kind, id, name }) => {
              const place = places[kind];
              return (
                <li key={`${kind}-${id}`} className="flex min-h-11 items-center gap-3 px-3.5 py-2">
                  <span className="w-32 flex-none text-dense text-text-3">{words.kinds[kind]}</span>
                  {place ? (
                    <Link to={`/w/${w}/${place}/${id}` as string} className="truncate font-medium">
                      {name ?? id}
                    </Link>
                  ) : (
                    <span className="truncate">{name ?? id}</span>
                  )}
                </li>
              );
            })}
          </ul>
        )}
        {data && data.hidden > 0 && <p className="text-dense text-text-2">{words.hidden(data.hidden)}</p>}
      </div>
    </TablePage>
  );
}
