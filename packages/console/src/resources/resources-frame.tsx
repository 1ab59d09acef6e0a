import { useParams } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useMay, useWorkspace } from '../api/session.ts';
import { resourceTexts } from '../text/resources.ts';
import { Page } from '../ui/page.tsx';
import { EmptyState } from '../ui/states.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { resourceTabs } from './common/tabs.ts';
import { tabPages } from './tab-pages.ts';

/** The tabs of resources. What a person may not see says which permission it needs. */
export function ResourcesFrame() {
  const { id: w } = useWorkspace();
  const may = useMay();
  const { tab: path } = useParams({ from: '/signed-in/w/$w/resources/$tab' });
  const current = resourceTabs.find((tab) => tab.path === path);
  if (!current)
    return (
      <Page title={resourceTexts.title}>
        <EmptyState title={resourceTexts.noTab} />
      </Page>
    );
  const TabPage = tabPages[current.path];
  const isRefused = !may(...current.permissions);
  return (
    <Page
      title={resourceTexts.title}
      guide={current.guide}
      scrolls={false}
      tabs={
        <Tabs
          label={resourceTexts.title}
          tabs={resourceTabs.map((tab) => ({
            label: resourceTexts.tabs[tab.path],
            to: `/w/${w}/resources/${tab.path}`,
          }))}
        />
      }
    >
      {isRefused ? (
        <div className="min-w-0 flex-1">
          <EmptyState
            title={resourceTexts.mayNot(resourceTexts.tabs[current.path])}
            help={resourceTexts.mayNotHelp(current.permissions.join(' or '))}
          />
        </div>
      ) : (
        <Suspense>
          <TabPage />
        </Suspense>
      )}
    </Page>
  );
}
