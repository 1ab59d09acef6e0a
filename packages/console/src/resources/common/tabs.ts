import type { Permission } from '@atrium/contract/permissions.ts';
import type { resourceTexts } from '../../text/resources.ts';

export interface ResourceTab {
  path: keyof typeof resourceTexts.tabs;
  /** Any of these shows what is in it. */
  permissions: readonly Permission[];
  /** The file of the project's docs. */
  guide: string;
}

export const resourceTabs: readonly ResourceTab[] = [
  { path: 'files', permissions: ['files_read'], guide: 'files' },
  { path: 'variables', permissions: ['variables_read'], guide: 'variables' },
  { path: 'connections', permissions: ['integrations_edit', 'variables_read'], guide: 'mcp' },
  { path: 'sandboxes', permissions: ['sandboxes_run'], guide: 'sandboxes' },
  { path: 'webhooks', permissions: ['integrations_edit'], guide: 'webhooks' },
  { path: 'triggers', permissions: ['agents_run', 'flows_run'], guide: 'triggers' },
];
