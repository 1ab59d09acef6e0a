import { useQuery } from '@tanstack/react-query';
import { sayDecimal, sayNumber } from '../../lib/numbers.ts';
import { insightTexts } from '../../text/insights.ts';
import { ErrorState, Loading } from '../../ui/states.tsx';
import type { Scope } from '../figures/figures.ts';
import { Card } from './card.tsx';

const words = insightTexts.satisfaction;

/** How often each score was given to an agent, and by whom. */
export function SatisfactionCard({ scope, agentId }: { scope: Scope; agentId: string }) {
  const { client, workspace, range } = scope;
  const days = Math.min(90, range.days);
  const query = useQuery({
    queryKey: [workspace, 'insights', agentId, 'satisfaction', days],
    queryFn: () => client.insights.satisfaction(agentId, { days }),
    staleTime: 60_000,
  });
  const { distribution = [], by_source = [], count = 0 } = query.data ?? {};
  return (
    <Card title={words.title}>
      {query.isPending && <Loading rows={4} />}
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} className="m-0" />}
      {query.data && count === 0 && <p className="text-dense text-text-2">{words.none}</p>}
      {count > 0 && (
        <ul className="flex flex-col gap-2 text-dense">
          {distribution
            .map((times, index) => ({ score: index + 1, times }))
            .toReversed()
            .map(({ score, times }) => (
              <li key={score} className="grid grid-cols-[60px_minmax(0,1fr)_44px] items-center gap-2.5">
                <span className="num">{words.stars(score)}</span>
                <span aria-hidden className="h-1.5 overflow-hidden rounded-full bg-sunken">
                  <span
                    className="block h-full rounded-full bg-c5"
                    style={{ width: `${(times / Math.max(1, count)) * 100}%` }}
                  />
                </span>
                <span className="num text-right text-text-2">{sayNumber(times)}</span>
              </li>
            ))}
        </ul>
      )}
      {by_source
        .filter((source) => source.average !== null && source.count > 0)
        .map(({ source, average, count: times }) => (
          <p key={source} className="text-dense text-text-2">
            {words.source(words.sources[source], sayDecimal(average ?? 0, 1), times)}
          </p>
        ))}
    </Card>
  );
}
