import { useQuery } from '@tanstack/react-query';
import { chartTexts } from '../../text/charts.ts';
import { insightTexts } from '../../text/insights.ts';
import { ChartCard } from '../../ui/chart/chart-card.tsx';
import { LineChart } from '../../ui/chart/line-chart.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { isHourly, pointsOf } from '../figures/chart-data.ts';
import { type Scope, seriesQuery } from '../figures/figures.ts';

const words = insightTexts.charts;

interface LineCardProps {
  scope: Scope;
  name: string;
  metric: 'csat' | 'time_to_first_token';
  statistic?: 'p95';
  format: (value: number) => string;
}

/** An average or a percentile by time. */
export function LineCard({ scope, name, metric, statistic, format }: LineCardProps) {
  const query = useQuery(seriesQuery(scope, metric, statistic));
  if (query.isError && !query.data)
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} className="m-0" />;
  const isLoading = query.isPending;
  const data = query.data ?? [];
  const hourly = isLoading ? scope.range.days <= 3 : isHourly(data.map(({ label }) => label));
  const points = pointsOf(data);
  const known = points.filter(({ values }) => values[0] !== null && values[0] !== undefined);
  const highest = known.toSorted((one, other) => (other.values[0] ?? 0) - (one.values[0] ?? 0))[0];
  const value = highest ? format(highest.values[0] ?? 0) : chartTexts.nothing;
  return (
    <ChartCard
      title={hourly ? words.anHour(name) : words.aDay(name)}
      rowLabel={hourly ? chartTexts.hour : chartTexts.day}
      sentence={`${name}. ${words.highest(value, highest?.name ?? '')}`}
      isLoading={isLoading}
      series={[{ key: metric, label: name }]}
      points={known.length > 0 ? points : []}
      format={format}
      height={200}
      draw={(props) => <LineChart {...props} />}
    />
  );
}
