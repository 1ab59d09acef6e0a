import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useClient, useWorkspace } from '../../api/session.ts';
import { insightTexts } from '../../text/insights.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { FeedbackRow } from './feedback-row.tsx';
import { ListPage } from './list-page.tsx';
import { paged } from './paged.ts';

const words = insightTexts.lists;

/** What people thought of answers, the latest first. */
export function CountedFeedbackPage() {
  const counted = useSearch({ from: '/signed-in/w/$w/insights/feedback' });
  const navigate = useNavigate({ from: '/w/$w/insights/feedback' });
  const client = useClient();
  const { id: w } = useWorkspace();
  const { agent, rating, after, before } = counted;
  const query = useInfiniteQuery(
    paged([w, 'feedback', 'counted', counted], (page) =>
      client.feedback.listAll({
        ...{ size: 50, ...page },
        ...(agent && { assistant_id: agent }),
        ...(rating && { rating }),
        ...(after && { created_after: after }),
        ...(before && { created_before: before }),
      }),
    ),
  );
  return (
    <ListPage
      title={words.feedback}
      counted={counted}
      query={query}
      filters={
        <Segmented
          label={words.rating}
          value={rating ?? 'all'}
          options={[
            { value: 'all', label: words.everything },
            { value: 'up', label: words.onlyRating.up },
            { value: 'down', label: words.onlyRating.down },
          ]}
          onChange={(next) =>
            void navigate({
              search: (old) => ({ ...old, rating: next === 'all' ? undefined : next }),
              replace: true,
            })
          }
        />
      }
    >
      {query.data?.pages
        .flatMap(({ items }) => items)
        .map((entry) => (
          <FeedbackRow key={entry.id} entry={entry} />
        ))}
    </ListPage>
  );
}
