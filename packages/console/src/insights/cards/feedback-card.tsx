import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMay } from '../../api/session.ts';
import { insightTexts } from '../../text/insights.ts';
import { ErrorState, Loading } from '../../ui/states.tsx';
import type { Scope } from '../figures/figures.ts';
import { FeedbackRow } from '../lists/feedback-row.tsx';
import { Card } from './card.tsx';

const words = insightTexts.feedback;

/** The latest comments, each with the answer that it is about. */
export function FeedbackCard({ scope }: { scope: Scope }) {
  const { client, workspace: w, agentId: agent, range } = scope;
  const mayRead = useMay()('conversations_read');
  const query = useQuery({
    queryKey: [w, 'feedback', 'comments', agent, range.start, range.end],
    queryFn: () => {
      const times = { created_after: range.start, created_before: range.end };
      return client.feedback.listAll({ commented: true, size: 5, ...times, ...(agent && { assistant_id: agent }) });
    },
    enabled: mayRead,
  });
  return (
    <Card
      className="min-h-60"
      title={words.title}
      beside={
        mayRead && (
          <Link
            to="/w/$w/insights/feedback"
            params={{ w }}
            search={{ agent, after: range.start, before: range.end }}
            className="text-dense font-medium"
          >
            {words.all}
          </Link>
        )
      }
    >
      {!mayRead && <p className="text-dense text-text-2">{words.mayNot}</p>}
      {mayRead && query.isPending && <Loading rows={3} />}
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} className="m-0" />}
      {query.data?.items.length === 0 && <p className="text-dense text-text-2">{words.none}</p>}
      <ul className="divide-y divide-line">
        {query.data?.items.map((entry) => (
          <FeedbackRow key={entry.id} entry={entry} />
        ))}
      </ul>
    </Card>
  );
}
