import { useQuery } from '@tanstack/react-query';
import { BookOpen, Bot, KeyRound, ListChecks, Table2, Users, Workflow } from 'lucide-react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { useTimeZone } from '../../lib/preferences.ts';
import { sayClock } from '../../lib/time.ts';
import { auditTexts } from '../../text/admin/audit.ts';
import { overviewTexts as words } from '../../text/admin/overview.ts';
import { Chip } from '../../ui/chip.tsx';
import { rangeOf } from '../audit/audit-filters.ts';
import { sayActor, sayOperation } from '../audit/say-entry.ts';
import { OverviewCard } from './overview-card.tsx';

const icons: Readonly<Record<string, typeof Bot>> = {
  ...{ agents: Bot, agentVersions: Bot, workflows: Workflow, workflowDrafts: Workflow, keys: KeyRound },
  ...{ variables: KeyRound, tables: Table2, knowledgeBases: BookOpen, documents: BookOpen },
  ...{ people: Users, members: Users, invitations: Users, sessions: Users, userGroups: Users },
};

/** The latest changes of today. */
export function AuditCard() {
  const client = useClient();
  const { id } = useWorkspace();
  const zone = useTimeZone();
  const query = useQuery({
    queryKey: [id, 'audit', 'overview', zone],
    queryFn: async () => (await client.audit.list({ ...rangeOf('today', new Date(), zone), size: 5 })).items,
  });
  return (
    <OverviewCard
      title={words.audit}
      query={query}
      none={words.noAudit}
      to={{ section: 'audit', label: words.toAudit, search: { when: 'today' } }}
      rows={5}
      rowHeight="min-h-9.5"
      keyOf={(entry) => entry.id}
    >
      {(entry) => {
        const Icon = icons[entry.operation.split('.')[0] ?? ''] ?? ListChecks;
        return (
          <>
            <span aria-hidden className="flex-none text-text-3">
              <Icon size={16} />
            </span>
            <span className="min-w-0 flex-1 truncate text-dense">
              <span className="font-medium">{sayActor(entry)}</span>{' '}
              <span className="text-text-2">{sayOperation(entry)}</span>
              {entry.target?.name && <span className="font-medium"> {entry.target.name}</span>}
            </span>
            {entry.outcome === 'refused' && <Chip tone="bad">{auditTexts.refused}</Chip>}
            <time dateTime={entry.at} className="num flex-none text-caption text-text-3">
              {sayClock(entry.at)}
            </time>
          </>
        );
      }}
    </OverviewCard>
  );
}
