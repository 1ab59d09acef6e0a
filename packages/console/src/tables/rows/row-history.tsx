import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Undo2 } from 'lucide-react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { sayTime } from '../../lib/time.ts';
import { rowTexts } from '../../text/table-rows.ts';
import { Button } from '../../ui/button.tsx';
import { Drawer } from '../../ui/drawer.tsx';
import { ErrorState, Loading } from '../../ui/states.tsx';
import { sayFailure, sayToast } from '../../ui/toast.tsx';

const words = rowTexts.history;
const say = (value: unknown) =>
  value === null || value === undefined ? '–' : typeof value === 'object' ? JSON.stringify(value) : String(value);

interface HistoryProps {
  tableId: string;
  rowId: string | number;
  refused: string | false;
  onClose: () => void;
}

/** Who changed a row and when, with the cells before and after. */
export function RowHistory({ tableId, rowId, refused, onClose }: HistoryProps) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const queries = useQueryClient();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [w, 'rows', tableId, 'history', rowId],
    queryFn: () => client.rows.history(tableId, rowId),
  });
  const takeBack = async (change: string, label: string) => {
    try {
      await client.tableChanges.undo(tableId, change);
      sayToast({ text: rowTexts.undone(label) });
    } catch (failure) {
      sayFailure(failure);
    }
    await queries.invalidateQueries({ queryKey: [w, 'rows', tableId] });
  };
  return (
    <Drawer open onClose={onClose} title={words.title(String(rowId))}>
      {isPending && <Loading onRetry={() => void refetch()} />}
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data?.items.length === 0 && <p className="p-4 text-dense text-text-2">{words.none}</p>}
      <ol className="divide-y divide-line">
        {data?.items.map(({ change_id, kind, changed_at, changed_by_actor, run_id, before, after }) => (
          <li key={`${change_id} ${kind}`} className="flex flex-col gap-2 px-4 py-3">
            <p className="flex flex-wrap items-center gap-2 text-dense">
              <span className="font-medium">{words.kinds[kind]}</span>
              <span className="text-text-2">
                {words.by(changed_by_actor?.name ?? words.platform, sayTime(changed_at))}
              </span>
              {run_id && (
                <Link to={`/w/${w}/runs/${run_id}` as string} className="text-dense">
                  {words.run}
                </Link>
              )}
              <Button
                size="small"
                className="ml-auto"
                icon={<Undo2 size={13} />}
                refused={refused}
                onClick={() => void takeBack(change_id, words.kinds[kind])}
              >
                {words.takeBack}
              </Button>
            </p>
            <dl className="flex flex-col gap-1 text-caption">
              {Object.keys({ ...before, ...after })
                .filter((column) => column !== 'id')
                .map((column) => (
                  <div key={column} className="flex gap-2">
                    <dt className="w-28 flex-none truncate text-text-3">{column}</dt>
                    <dd className="min-w-0 break-words">
                      {before && <del className="text-text-2">{say(before[column])}</del>}
                      {before && after && ' → '}
                      {after && <ins className="no-underline">{say(after[column])}</ins>}
                    </dd>
                  </div>
                ))}
            </dl>
          </li>
        ))}
      </ol>
    </Drawer>
  );
}
