import type { Permission } from '@atrium/contract/permissions.ts';
import {
  Activity,
  BookOpen,
  Bot,
  Box,
  ChartNoAxesColumn,
  FlaskConical,
  Inbox,
  MessageSquare,
  Settings,
  Table2,
  Workflow,
} from 'lucide-react';
import type { ComponentType } from 'react';
import { t } from '../text/en.ts';

export interface Entry {
  /** The last part of the address. */
  path: string;
  label: string;
  icon: ComponentType<{ size?: number }>;
  /** The key after G. */
  key: string;
  /** Any of these shows the entry; none given: everybody sees it. */
  permissions?: readonly Permission[];
}

export const mainEntries: readonly Entry[] = [
  { path: 'chat', label: t.shell.chat, icon: MessageSquare, key: 'c' },
  { path: 'inbox', label: t.shell.inbox, icon: Inbox, key: 'i' },
];
export const buildEntries: readonly Entry[] = [
  { path: 'agents', label: t.shell.agents, icon: Bot, key: 'a', permissions: ['agents_run', 'agents_edit'] },
  { path: 'workflows', label: t.shell.workflows, icon: Workflow, key: 'w', permissions: ['flows_run', 'flows_edit'] },
  { path: 'knowledge', label: t.shell.knowledge, icon: BookOpen, key: 'k', permissions: ['kbs_query', 'kbs_edit'] },
  { path: 'tables', label: t.shell.tables, icon: Table2, key: 't', permissions: ['tables_read', 'tables_edit'] },
  {
    path: 'resources',
    label: t.shell.resources,
    icon: Box,
    key: 's',
    permissions: ['files_read', 'variables_read', 'sandboxes_run'],
  },
];
export const observeEntries: readonly Entry[] = [
  {
    path: 'runs',
    label: t.shell.runs,
    icon: Activity,
    key: 'r',
    permissions: ['agents_run', 'flows_run', 'conversations_read'],
  },
  { path: 'insights', label: t.shell.insights, icon: ChartNoAxesColumn, key: 'n', permissions: ['insights_read'] },
  { path: 'evaluations', label: t.shell.evaluations, icon: FlaskConical, key: 'e', permissions: ['agents_edit'] },
];
export const adminEntry: Entry = {
  ...{ path: 'admin', label: t.shell.admin, icon: Settings, key: 'd' },
  permissions: ['workspace_admin', 'org:admin', 'users_read', 'audit_read'],
};

/** Any of these lets a person open a page of the workspace; none: everybody may. */
export const permissionsFor = (page: string): readonly Permission[] =>
  [...mainEntries, ...buildEntries, ...observeEntries, adminEntry].find(({ path }) => path === page)?.permissions ?? [];
