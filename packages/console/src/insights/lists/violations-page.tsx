import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useClient, useWorkspace } from '../../api/session.ts';
import { sayTime } from '../../lib/time.ts';
import { insightTexts } from '../../text/insights.ts';
import { Chip } from '../../ui/chip.tsx';
import { ListPage } from './list-page.tsx';
import { paged } from './paged.ts';

const words = insightTexts.lists;

/** What guardrails objected to, the latest first. */
export function CountedViolationsPage() {
  const counted = useSearch({ from: '/signed-in/w/$w/insights/violations' });
  const client = useClient();
  const { id: w } = useWorkspace();
  const { agent, after, before } = counted;
  const query = useInfiniteQuery(
    paged([w, 'violations', counted], (page) =>
      client.safety.listAllViolations({
        ...{ size: 50, ...page },
        ...(agent && { assistant_id: agent }),
        ...(after && { created_after: after }),
        ...(before && { created_before: before }),
      }),
    ),
  );
  return (
    <ListPage title={words.violations} counted={counted} query={query}>
      {query.data?.pages
        .flatMap(({ items }) => items)
        .map(({ id, category, severity, stage, reason, action, conversation_id, run_id, created_at }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-2.5 gap-y-1 py-2.5 text-dense">
            <Chip tone={severity === 'severe' ? 'bad' : 'warn'}>{category}</Chip>
            <span className="text-text-2">
              {words.stages[stage] ?? stage}, {action}
            </span>
            <span dir="auto" className="min-w-40 flex-1 break-words">
              {reason}
            </span>
            <span className="num text-text-3">{sayTime(created_at)}</span>
            <Link to="/w/$w/chat/$id" params={{ w, id: conversation_id }} className="font-medium whitespace-nowrap">
              {words.openChat}
            </Link>
            {run_id && (
              <Link to="/w/$w/runs/$id" params={{ w, id: run_id }} className="font-medium whitespace-nowrap">
                {words.openTrace}
              </Link>
            )}
          </li>
        ))}
    </ListPage>
  );
}
