import { useNavigate, useSearch } from '@tanstack/react-router';
import { useFoundReferences } from '../forms/use-references.ts';
import { insightTexts as words } from '../text/insights.ts';
import { FilterSheet } from '../ui/filter-sheet.tsx';
import { Page } from '../ui/page.tsx';
import { Select } from '../ui/select.tsx';
import { ExportButton } from './export-button.tsx';
import { InsightsBody } from './insights-body.tsx';
import { PeriodChoice } from './period-choice.tsx';
import type { InsightPlace } from './routes.tsx';

/** The figures of the workspace, or of the agent that the address names. */
export function InsightsPage() {
  const { agent, ...place } = useSearch({ from: '/signed-in/w/$w/insights' });
  const navigate = useNavigate({ from: '/w/$w/insights' });
  const agents = useFoundReferences('agent', '');
  const show = (next: InsightPlace & { agent?: string | undefined }) =>
    void navigate({ search: (old) => ({ ...old, ...next }), replace: true });
  return (
    <Page
      title={words.title}
      guide="insights"
      actions={
        <>
          <FilterSheet count={[agent, place.days ?? place.from].filter(Boolean).length}>
            <Select
              aria-label={words.agent}
              className="w-44"
              value={agent ?? ''}
              empty={words.anyAgent}
              options={agents.map(({ id, name }) => ({ value: id, label: name }))}
              onChange={(id) => show({ agent: id || undefined })}
            />
            <PeriodChoice period={place} onPeriod={show} />
          </FilterSheet>
          <ExportButton agentId={agent} place={place} />
        </>
      }
    >
      <div className="min-h-full bg-bg">
        <InsightsBody agentId={agent} place={place} onPlace={show} />
      </div>
    </Page>
  );
}
