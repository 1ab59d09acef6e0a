import type { Permission } from '@atrium/contract/permissions.ts';
import {
  Building2,
  ChartNoAxesColumn,
  Cpu,
  DatabaseBackup,
  KeyRound,
  ListChecks,
  Server,
  ShieldCheck,
  Users,
} from 'lucide-react';
import type { ComponentType } from 'react';
import { lazyPart } from '../lib/lazy-part.ts';
import type { adminTexts } from '../text/admin/frame.ts';

export type SectionKey = keyof typeof adminTexts.sections;

interface Section {
  icon: ComponentType<{ size?: number }>;
  /** Any of these lets a person see it. */
  permissions: readonly Permission[];
  Page: ComponentType;
}

/** The parts of Admin in their order, each loaded when it is opened. */
export const sections: Readonly<Record<SectionKey, Section>> = {
  people: {
    icon: Users,
    permissions: ['workspace_admin', 'org:admin'],
    Page: lazyPart(() => import('./people/people-page.tsx').then((file) => ({ default: file.PeoplePage }))),
  },
  roles: {
    icon: ShieldCheck,
    permissions: ['org:admin'],
    Page: lazyPart(() => import('./roles/roles-page.tsx').then((file) => ({ default: file.RolesPage }))),
  },
  keys: {
    icon: KeyRound,
    permissions: ['workspace_admin', 'org:admin'],
    Page: lazyPart(() => import('./keys/keys-page.tsx').then((file) => ({ default: file.KeysPage }))),
  },
  models: {
    icon: Cpu,
    permissions: ['settings_read', 'settings_write'],
    Page: lazyPart(() => import('./models/models-page.tsx').then((file) => ({ default: file.ModelsPage }))),
  },
  usage: {
    icon: ChartNoAxesColumn,
    permissions: ['workspace_admin', 'insights_read'],
    Page: lazyPart(() => import('./usage/usage-page.tsx').then((file) => ({ default: file.UsagePage }))),
  },
  audit: {
    icon: ListChecks,
    permissions: ['workspace_admin', 'audit_read'],
    Page: lazyPart(() => import('./audit/audit-page.tsx').then((file) => ({ default: file.AuditPage }))),
  },
  workspaces: {
    icon: Building2,
    permissions: ['workspace_read', 'workspace_write', 'workspace_admin'],
    Page: lazyPart(() => import('./workspaces/workspaces-page.tsx').then((file) => ({ default: file.WorkspacesPage }))),
  },
  retention: {
    icon: DatabaseBackup,
    permissions: ['org:admin'],
    Page: lazyPart(() => import('./retention/retention-page.tsx').then((file) => ({ default: file.RetentionPage }))),
  },
  system: {
    icon: Server,
    permissions: ['org:admin'],
    Page: lazyPart(() => import('./system/system-page.tsx').then((file) => ({ default: file.SystemPage }))),
  },
};

export const sectionKeys = Object.keys(sections) as SectionKey[];
export const isSection = (key: string): key is SectionKey => Object.hasOwn(sections, key);
