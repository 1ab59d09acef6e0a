import { useQuery } from '@tanstack/react-query';
import { useClient, useMay, useWorkspace } from '../../api/session.ts';
import { startOfDaysAgo } from '../../lib/calendar.ts';
import { sayCost, sayNumber, sayPercent } from '../../lib/numbers.ts';
import { useTimeZone } from '../../lib/preferences.ts';
import { usageTexts as words } from '../../text/admin/usage.ts';
import { Button } from '../../ui/button.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { Card } from '../shared/section-page.tsx';
import { Table } from '../shared/table.tsx';
import { useAddress } from '../shared/use-admin.ts';
import { Meter } from './meter.tsx';

type Grouping = keyof typeof words.groupings;
type Range = keyof typeof words.ranges;
type Metric = keyof typeof words.metrics;

/** The beginning of the range: whole days back from midnight, so that one answer serves all day. */
function startOf(range: Range, zone: string): string {
  return new Date(startOfDaysAgo(Number(range) - 1, Date.now(), zone)).toISOString();
}

/** Dollars or tokens by workspace, agent, model, key or person. The choice is in the address. */
export function UsageFigures() {
  const client = useClient();
  const { id } = useWorkspace();
  const isOrganization = useMay()('org:admin');
  const [{ by, range: askedRange, metric: askedMetric }, show] = useAddress();
  const groupings = (Object.keys(words.groupings) as Grouping[]).filter((one) => one !== 'workspace' || isOrganization);
  const grouping = groupings.find((one) => one === by) ?? 'agent';
  const range: Range = askedRange && askedRange in words.ranges ? (askedRange as Range) : '30';
  const metric: Metric = askedMetric === 'tokens' ? 'tokens' : 'cost';
  const say = metric === 'cost' ? sayCost : sayNumber;
  const time_start = startOf(range, useTimeZone());
  const query = useQuery({
    queryKey: [id, 'usage', metric, grouping, time_start],
    queryFn: async () => {
      const time = { time_start, time_end: new Date().toISOString(), interval: 'none' } as const;
      const [whole, groups] = await Promise.all([
        client.analytics.get(metric, time),
        client.analytics.get(metric, { ...time, group_by: grouping }),
      ]);
      const list = groups.type === 'horizontal-barchart' ? groups.value : [];
      // The figure without groups is that of this workspace alone.
      const ofAll = list.reduce((sum, { value }) => sum + (value ?? 0), 0);
      const ofThis = whole.type === 'simple' ? (whole.value ?? 0) : 0;
      return { total: grouping === 'workspace' ? ofAll : ofThis, groups: list };
    },
  });
  return (
    <Card
      title={words.usage}
      help={words.unpriced}
      actions={
        <>
          <Segmented
            label={words.metric}
            value={metric}
            options={(['cost', 'tokens'] as const).map((value) => ({ value, label: words.metrics[value] }))}
            onChange={(value) => show({ metric: value === 'cost' ? undefined : value })}
          />
          <Segmented
            label={words.range}
            value={range}
            options={(['1', '7', '30', '90'] as const).map((value) => ({ value, label: words.ranges[value] }))}
            onChange={(value) => show({ range: value === '30' ? undefined : value })}
          />
        </>
      }
    >
      <div className="flex flex-wrap items-center gap-3 px-4 py-3">
        <Segmented
          label={words.by}
          value={grouping}
          options={groupings.map((value) => ({ value, label: words.groupings[value] }))}
          onChange={(value) => show({ by: value === 'agent' ? undefined : value })}
        />
        {query.data && (
          <p className="num ml-auto text-label">
            <span className="text-text-3">{words.total}</span>{' '}
            <span className="font-semibold">{say(query.data.total)}</span>
          </p>
        )}
      </div>
      <Loaded query={query} rows={5}>
        {({ groups, total }) =>
          groups.length === 0 ? (
            <EmptyState {...(metric === 'cost' ? words.noCost : words.nothing)} className="py-8">
              {metric === 'cost' && <Button onClick={() => show({ metric: 'tokens' })}>{words.showTokens}</Button>}
            </EmptyState>
          ) : (
            <Table
              label={`${words.usage}: ${words.groupings[grouping]}`}
              rows={groups}
              keyOf={(group) => group.id ?? group.label}
              columns={[
                {
                  label: words.groupings[grouping],
                  isName: true,
                  cell: (group) => <span className="text-label">{group.id === null ? words.nobody : group.label}</span>,
                },
                {
                  label: words.share,
                  cell: ({ value }) => (
                    <span className="flex w-full min-w-40">
                      <Meter
                        part={(value ?? 0) / Math.max(total, groups[0]?.value ?? 0, 1e-9)}
                        label={sayPercent((value ?? 0) / Math.max(total, 1e-9))}
                      />
                    </span>
                  ),
                },
                { label: words.metrics[metric], isFigure: true, cell: ({ value }) => say(value ?? 0) },
              ]}
            />
          )
        }
      </Loaded>
    </Card>
  );
}
