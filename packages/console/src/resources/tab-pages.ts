import { lazyPart } from '../lib/lazy-part.ts';
import type { ResourceTab } from './common/tabs.ts';

/** The page of each tab, loaded when it is first opened. */
export const tabPages: Readonly<Record<ResourceTab['path'], ReturnType<typeof lazyPart>>> = {
  files: lazyPart(() => import('./files/files-page.tsx').then(({ FilesPage }) => ({ default: FilesPage }))),
  variables: lazyPart(() =>
    import('./variables/variables-page.tsx').then(({ VariablesPage }) => ({ default: VariablesPage })),
  ),
  connections: lazyPart(() =>
    import('./connections/connections-page.tsx').then(({ ConnectionsPage }) => ({ default: ConnectionsPage })),
  ),
  sandboxes: lazyPart(() =>
    import('./sandboxes/sandboxes-page.tsx').then(({ SandboxesPage }) => ({ default: SandboxesPage })),
  ),
  webhooks: lazyPart(() =>
    import('./webhooks/webhooks-page.tsx').then(({ WebhooksPage }) => ({ default: WebhooksPage })),
  ),
  triggers: lazyPart(() =>
    import('./triggers/all-triggers-page.tsx').then(({ AllTriggersPage }) => ({ default: AllTriggersPage })),
  ),
};
