import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useClient, useWorkspace } from '../../api/session.ts';
import { sayExactTime, sayTime } from '../../lib/time.ts';
import { insightTexts } from '../../text/insights.ts';
import { ListPage } from './list-page.tsx';
import { paged } from './paged.ts';

const words = insightTexts.lists;

/** The conversations behind a figure. */
export function CountedConversationsPage() {
  const counted = useSearch({ from: '/signed-in/w/$w/insights/conversations' });
  const client = useClient();
  const { id: w } = useWorkspace();
  const { agent, version, person, channel, topic, rating, after, before } = counted;
  const query = useInfiniteQuery(
    paged([w, 'conversations', 'counted', counted], (page) =>
      client.conversations.list({
        ...{ size: 50, view: 'summary', ...page },
        ...(agent && { assistant_id: agent }),
        ...(version && { assistant_version_id: version }),
        ...(person && { person_id: person }),
        ...(channel && { channel }),
        ...(topic && { topic_id: topic }),
        ...(rating && { rating }),
        ...(after && { created_after: after }),
        ...(before && { created_before: before }),
      }),
    ),
  );
  return (
    <ListPage title={words.conversations} counted={counted} query={query}>
      {query.data?.pages
        .flatMap(({ items }) => items)
        .map(({ id, name, agent: own, last_updated_at }) => (
          <li key={id} className="flex items-center gap-3 py-2.5">
            <div className="min-w-0 flex-1">
              <Link to="/w/$w/chat/$id" params={{ w, id }} className="block truncate text-label font-medium text-text">
                {name || words.untitled}
              </Link>
              <p className="truncate text-dense text-text-2">{own?.name}</p>
            </div>
            <Link
              to="/w/$w/runs"
              params={{ w }}
              search={{ conversation: id }}
              className="text-dense font-medium whitespace-nowrap"
            >
              {words.runs}
            </Link>
            <time
              dateTime={last_updated_at}
              title={sayExactTime(last_updated_at)}
              className="num text-dense whitespace-nowrap text-text-3"
            >
              {sayTime(last_updated_at)}
            </time>
          </li>
        ))}
    </ListPage>
  );
}
