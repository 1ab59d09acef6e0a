import type { AnswerOf } from '@atrium/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useWorkspace } from '../../api/session.ts';
import { resourceTexts } from '../../text/resources.ts';
import { ErrorState, Loading } from '../../ui/states.tsx';

type UsedBy = AnswerOf<'files.listUses'>;
type Use = UsedBy['items'][number];
const words = resourceTexts.uses;

function addressOf(w: string, { kind, id }: Use): string | undefined {
  const base = `/w/${w}`;
  if (kind === 'agent') return `${base}/agents/${id}/build`;
  if (kind === 'workflow') return `${base}/workflows/${id}`;
  if (kind === 'conversation') return `${base}/chat/${id}`;
  if (kind === 'knowledge_base') return `${base}/knowledge/${id}/documents`;
  return kind === 'variable' ? `${base}/resources/variables` : undefined;
}

/**
 * What uses a record; loaded when it is shown. Its key is not that of the record's kind: what was just deleted would be asked
 * for again.
 */
export function Uses({ queryKey, load }: { queryKey: readonly unknown[]; load: () => Promise<UsedBy> }) {
  const { id: w } = useWorkspace();
  const query = useQuery({ queryKey: [w, 'uses', ...queryKey], queryFn: load, staleTime: 0 });
  const { data } = query;
  if (query.isPending) return <Loading rows={2} />;
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} className="m-0" />;
  const count = (data?.items.length ?? 0) + (data?.hidden ?? 0);
  if (!data || count === 0) return <p className="text-dense text-text-2">{words.unused}</p>;
  return (
    <div>
      <p className="mb-2 text-label font-medium">{words.usedBy(count)}</p>
      <ul className="divide-y divide-line rounded-3 border border-line text-dense">
        {data.items.slice(0, 50).map((use) => {
          const to = addressOf(w, use);
          const name = use.name || use.id;
          return (
            <li key={`${use.kind}-${use.id}`} className="flex gap-3 px-3 py-2">
              <span className="w-28 flex-none text-text-3">{words.kinds[use.kind]}</span>
              {to ? (
                <Link
                  to={to}
                  {...(use.kind === 'variable' && { search: { variable: use.id } })}
                  className="truncate font-medium"
                >
                  {name}
                </Link>
              ) : (
                <span className="truncate">{name}</span>
              )}
            </li>
          );
        })}
      </ul>
      {data.hidden > 0 && <p className="mt-2 text-dense text-text-2">{words.hidden(data.hidden)}</p>}
    </div>
  );
}
