import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useClient, useWorkspace } from '../api/session.ts';
import { sayDecimal, sayDuration } from '../lib/numbers.ts';
import { insightTexts } from '../text/insights.ts';
import { ErrorState, Loading } from '../ui/states.tsx';
import { ConversationChart } from './cards/conversation-chart.tsx';
import { CostByModel } from './cards/cost-by-model.tsx';
import { CustomCard } from './cards/custom-card.tsx';
import { FeedbackCard } from './cards/feedback-card.tsx';
import { FigureCards } from './cards/figure-cards.tsx';
import { GroupTable } from './cards/group-table.tsx';
import { LineCard } from './cards/line-card.tsx';
import { SatisfactionCard } from './cards/satisfaction-card.tsx';
import { TroubleCards } from './cards/trouble-cards.tsx';
import { overviewQuery, type Scope } from './figures/figures.ts';
import { rangeOf } from './figures/range.ts';
import type { InsightPlace } from './routes.tsx';

const words = insightTexts.charts;

interface InsightsBodyProps {
  agentId: string | undefined;
  place: InsightPlace;
  onPlace: (place: InsightPlace) => void;
}

/** The figures of a workspace or of one agent. Each leads to what it counts. */
export function InsightsBody({ agentId, place, onPlace }: InsightsBodyProps) {
  const client = useClient();
  const { id: workspace } = useWorkspace();
  const { days, from, to } = place;
  const range = useMemo(() => rangeOf({ days, from, to }), [days, from, to]);
  const scope: Scope = { client, workspace, agentId, range };
  const overview = useQuery(overviewQuery(scope));
  if (overview.isError && !overview.data)
    return <ErrorState error={overview.error} onRetry={() => void overview.refetch()} />;
  if (!overview.data) return <Loading rows={8} onRetry={() => void overview.refetch()} />;
  return (
    <div className="flex flex-col gap-3.5 p-5 max-narrow:p-3">
      <FigureCards scope={scope} overview={overview.data} />
      <TroubleCards scope={scope} overview={overview.data} />
      <div className="grid items-start gap-3.5 wide:grid-cols-[minmax(0,1fr)_400px]">
        <ConversationChart scope={scope} />
        <CostByModel scope={scope} />
      </div>
      <GroupTable scope={scope} group={place.group} onGroup={(group) => onPlace({ group })} />
      <div className="grid items-start gap-3.5 narrow:grid-cols-2">
        <LineCard
          scope={scope}
          name={words.satisfaction}
          metric="csat"
          format={(value) => insightTexts.figures.outOfFive(sayDecimal(value, 1))}
        />
        <LineCard
          scope={scope}
          name={words.firstWord}
          metric="time_to_first_token"
          statistic="p95"
          format={sayDuration}
        />
        {agentId && <SatisfactionCard scope={scope} agentId={agentId} />}
        {agentId && <CustomCard scope={scope} agentId={agentId} />}
        <FeedbackCard scope={scope} />
      </div>
    </div>
  );
}
