import { useQuery } from '@tanstack/react-query';
import { sayNumber } from '../../lib/numbers.ts';
import { chartTexts } from '../../text/charts.ts';
import { insightTexts } from '../../text/insights.ts';
import { BarChart } from '../../ui/chart/bar-chart.tsx';
import { ChartCard } from '../../ui/chart/chart-card.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { isHourly, pointsOf, stackByAgent } from '../figures/chart-data.ts';
import { byAgentQuery, type Scope, seriesQuery } from '../figures/figures.ts';

const words = insightTexts.charts;
const mostAgents = 6;

/** Conversations by time: of all agents on top of each other, or of one. */
export function ConversationChart({ scope }: { scope: Scope }) {
  const all = useQuery({ ...byAgentQuery(scope), enabled: scope.agentId === undefined });
  const one = useQuery({ ...seriesQuery(scope, 'conversations'), enabled: scope.agentId !== undefined });
  const query = scope.agentId === undefined ? all : one;
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} className="m-0" />;
  const isLoading = query.isPending;
  const { series, points, hourly } =
    scope.agentId === undefined
      ? stackByAgent(all.data ?? [], scope.range, mostAgents, words.others)
      : {
          series: [{ key: 'one', label: words.conversations }],
          points: pointsOf(one.data ?? []),
          hourly: isHourly((one.data ?? []).map(({ label }) => label)),
        };
  const title = (isLoading ? scope.range.days <= 3 : hourly)
    ? words.anHour(words.conversations)
    : words.aDay(words.conversations);
  const sums = points.map(({ values }) => values.reduce<number>((sum, value) => sum + (value ?? 0), 0));
  const total = sums.reduce((sum, value) => sum + value, 0);
  const at = sums.indexOf(Math.max(...sums));
  const sentence = [
    words.sentence(words.conversations, sayNumber(total), points[0]?.name ?? '', points.at(-1)?.name ?? ''),
    words.highest(sayNumber(sums[at] ?? 0), points[at]?.name ?? ''),
  ].join(' ');
  return (
    <ChartCard
      title={title}
      rowLabel={hourly ? chartTexts.hour : chartTexts.day}
      sentence={sentence}
      isLoading={isLoading}
      series={series}
      points={series.length > 0 ? points : []}
      format={sayNumber}
      draw={(props) => <BarChart {...props} />}
    />
  );
}
