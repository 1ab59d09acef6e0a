import { useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense } from 'react';
import { PeriodChoice } from '../../insights/period-choice.tsx';
import type { InsightPlace } from '../../insights/routes.tsx';
import { lazyPart } from '../../lib/lazy-part.ts';
import { Loading } from '../../ui/states.tsx';
import { useDraft } from '../editor/editor-context.ts';

const InsightsBody = lazyPart(() =>
  import('../../insights/insights-body.tsx').then(({ InsightsBody }) => ({ default: InsightsBody })),
);

/** The figures of one agent. */
export function AgentInsightsPage() {
  const { agent } = useDraft();
  const place = useSearch({ from: '/signed-in/w/$w/agents/$id/insights' });
  const navigate = useNavigate({ from: '/w/$w/agents/$id/insights' });
  const show = (next: InsightPlace) => void navigate({ search: (old) => ({ ...old, ...next }), replace: true });
  return (
    <div className="min-w-0 flex-1 overflow-y-auto bg-bg">
      <div className="flex flex-wrap justify-end gap-2 px-5 pt-4 max-narrow:px-3">
        <PeriodChoice period={place} onPeriod={show} />
      </div>
      <Suspense fallback={<Loading rows={8} />}>
        <InsightsBody agentId={agent.id} place={place} onPlace={show} />
      </Suspense>
    </div>
  );
}
