import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { agentTexts } from '../../text/agents.ts';
import { t } from '../../text/en.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorState, Loading } from '../../ui/states.tsx';
import { useDraft } from '../editor/editor-context.ts';
import { versionsQuery } from '../queries.ts';
import { Comparison } from './comparison.tsx';
import { GoBack } from './go-back.tsx';
import { type Version, VersionRow } from './version-row.tsx';

/** The versions of an agent, newest first; two of them compared beside. */
export function VersionsPage() {
  const { agent } = useDraft();
  const { from, to } = useSearch({ from: '/signed-in/w/$w/agents/$id/versions' });
  const navigate = useNavigate({ from: '/w/$w/agents/$id/versions' });
  const query = useInfiniteQuery(versionsQuery(useClient(), useWorkspace().id, agent.id));
  const [goBack, setGoBack] = useState<Version>();
  const versions = query.data?.pages.flat() ?? [];
  const compare = (next: { from?: string; to?: string }) => void navigate({ search: next, replace: true });
  const live = versions.find(({ id }) => id === agent.version_id);
  return (
    <div className="flex min-h-0 min-w-0 flex-1 max-narrow:flex-col max-narrow:overflow-y-auto">
      <section
        aria-label={agentTexts.versions.title}
        className="w-110 flex-none overflow-y-auto border-r border-line max-narrow:w-auto max-narrow:border-r-0 max-narrow:border-b"
      >
        {query.isPending && <Loading rows={6} onRetry={() => void query.refetch()} />}
        {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
        <ul className="divide-y divide-line">
          {versions.map((version, index) => {
            const older = versions[index + 1];
            // The live version is compared with the one before it, every other one with the live one.
            const pair =
              version.id === live?.id ? { from: older?.id, to: version.id } : { from: version.id, to: live?.id };
            return (
              <VersionRow
                key={version.id}
                version={version}
                isLive={version.id === live?.id}
                isChosen={version.id === from || version.id === to}
                onCompare={
                  pair.from && pair.to ? () => compare({ from: pair.from as string, to: pair.to as string }) : undefined
                }
                onGoBack={() => setGoBack(version)}
              />
            );
          })}
        </ul>
        {query.hasNextPage && (
          <div className="flex justify-center p-3">
            <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              {t.ui.loadMore}
            </Button>
          </div>
        )}
      </section>
      <section
        aria-label={agentTexts.versions.compare}
        className="min-w-0 flex-1 overflow-y-auto p-5 max-narrow:flex-none max-narrow:p-3"
      >
        <Comparison versions={versions} from={from} to={to} onCompare={compare} />
      </section>
      {goBack && <GoBack version={goBack} onClose={() => setGoBack(undefined)} />}
    </div>
  );
}
