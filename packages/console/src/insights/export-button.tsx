import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useClient, useWorkspace } from '../api/session.ts';
import { insightTexts as words } from '../text/insights.ts';
import { Button } from '../ui/button.tsx';
import { exportFigures } from './export-figures.ts';
import { type Grouping, groupsQuery, overviewQuery } from './figures/figures.ts';
import { rangeOf } from './figures/range.ts';
import type { InsightPlace } from './routes.tsx';

/** Hands over the figures that the page shows, without asking for them again. */
export function ExportButton({ agentId, place }: { agentId: string | undefined; place: InsightPlace }) {
  const client = useClient();
  const { id: workspace } = useWorkspace();
  const scope = { client, workspace, agentId, range: rangeOf(place) };
  const { data: overview } = useQuery({ ...overviewQuery(scope), enabled: false });
  const group = (place.group ?? 'topic') as Grouping;
  const { data: groups } = useQuery({ ...groupsQuery(scope, group), enabled: false });
  return (
    <Button
      icon={<Download size={14} aria-hidden />}
      refused={!overview && words.needsExport}
      onClick={() => overview && exportFigures(overview, groups)}
    >
      {words.export}
    </Button>
  );
}
