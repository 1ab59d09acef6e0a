import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useClient, useWorkspace } from '../../api/session.ts';
import { sayDuration } from '../../lib/numbers.ts';
import { sayTime } from '../../lib/time.ts';
import { insightTexts } from '../../text/insights.ts';
import { traceTexts } from '../../text/traces.ts';
import { Chip } from '../../ui/chip.tsx';
import { ListPage } from './list-page.tsx';
import { paged } from './paged.ts';

const words = insightTexts.lists;

/** The calls of a tool, the latest first. */
export function CountedToolCallsPage() {
  const counted = useSearch({ from: '/signed-in/w/$w/insights/tool-calls' });
  const client = useClient();
  const { id: w } = useWorkspace();
  const { agent, tool, after, before } = counted;
  const query = useInfiniteQuery(
    paged([w, 'tool-calls', counted], (page) =>
      client.toolCalls.list({
        ...{ size: 50, ...page },
        ...(agent && { assistant_id: agent }),
        ...(tool && { tool }),
        ...(after && { created_after: after }),
        ...(before && { created_before: before }),
      }),
    ),
  );
  return (
    <ListPage title={words.toolCalls} counted={counted} query={query}>
      {query.data?.pages
        .flatMap(({ items }) => items)
        .map((call) => (
          <li key={call.id} className="flex flex-wrap items-center gap-x-2.5 gap-y-1 py-2.5 text-dense">
            <Chip tone={call.outcome === 'ok' ? 'ok' : 'bad'}>{traceTexts.outcomes[call.outcome]}</Chip>
            <code className="font-mono text-code">{call.tool}</code>
            <span className="num flex-1 text-text-2">{words.took(sayDuration(call.ms))}</span>
            <span className="num text-text-3">{sayTime(call.created_at)}</span>
            <Link
              to="/w/$w/chat/$id"
              params={{ w, id: call.conversation_id }}
              className="font-medium whitespace-nowrap"
            >
              {words.openChat}
            </Link>
            <Link to="/w/$w/runs/$id" params={{ w, id: call.run_id }} className="font-medium whitespace-nowrap">
              {words.openTrace}
            </Link>
          </li>
        ))}
    </ListPage>
  );
}
