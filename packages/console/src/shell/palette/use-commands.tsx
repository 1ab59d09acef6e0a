import { useRouter } from '@tanstack/react-router';
import { Bell, BookOpenText, CircleHelp, Moon, PanelLeft, Plus, Sun, Table2, UserRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { useMay, useSession, useWorkspace } from '../../api/session.ts';
import { changePreferences } from '../../lib/preferences.ts';
import { sayKeys, useShortcutRegistry } from '../../lib/shortcuts.ts';
import { t } from '../../text/en.ts';
import { guideSubjects, helpTexts } from '../../text/help.ts';
import { adminEntry, buildEntries, mainEntries, observeEntries } from '../entries.tsx';
import { samePage } from '../same-page.ts';
import { useShell } from '../shell-store.ts';

const words = t.shell.palette;

export interface PaletteEntry {
  id: string;
  label: string;
  /** What it is, behind its name. */
  note?: ReactNode;
  icon: ReactNode;
  keys?: string;
  /** An address to open; else what to do. */
  href?: string;
  run?: () => void;
}

/** Pages whose dialog makes something. */
const makers = [
  { path: 'agents', label: words.make.agents, permission: 'agents_edit' },
  { path: 'workflows', label: words.make.workflows, permission: 'flows_edit' },
  { path: 'knowledge', label: words.make.knowledge, permission: 'kbs_edit' },
  { path: 'tables', label: words.make.tables, permission: 'tables_edit' },
] as const;

/** What can be done from anywhere, then what the open page offers by its keys. */
export function useCommands(): PaletteEntry[] {
  const { id: w } = useWorkspace();
  const { fold, open } = useShell();
  const may = useMay();
  const active = useShortcutRegistry(({ active }) => active);
  const ofPage = active.filter(({ everywhere, keys }) => !everywhere && !/^(?:escape|enter|arrow)/.test(keys));
  return [
    {
      id: 'new-chat',
      label: words.newChat,
      icon: <Plus size={16} />,
      href: `/w/${w}/chat`,
      keys: sayKeys('mod+shift+o'),
    },
    ...makers
      .filter(({ permission }) => may(permission))
      .map(({ path, label }) => ({
        ...{ id: `new ${path}`, label, icon: <Plus size={16} />, href: `/w/${w}/${path}#new` },
      })),
    ...ofPage.map(({ keys, label, onPress }) => ({
      ...{
        id: `page ${keys}`,
        label,
        note: words.thisPage,
        icon: <Table2 size={16} />,
        keys: sayKeys(keys),
        run: onPress,
      },
    })),
    { id: 'notifications', label: words.notifications, icon: <Bell size={16} />, run: () => open('notifications') },
    { id: 'light', label: words.light, icon: <Sun size={16} />, run: () => void changePreferences({ theme: 'light' }) },
    { id: 'dark', label: words.dark, icon: <Moon size={16} />, run: () => void changePreferences({ theme: 'dark' }) },
    { id: 'fold', label: t.shell.foldSidebar, icon: <PanelLeft size={16} />, keys: sayKeys('mod+\\'), run: fold },
    { id: 'keys', label: t.shell.help, icon: <CircleHelp size={16} />, keys: '?', run: () => open('shortcuts') },
  ];
}

/** Pages of the workspace, the account, and other workspaces. */
export function usePages(): PaletteEntry[] {
  const { workspaces } = useSession();
  const { id: w } = useWorkspace();
  const may = useMay();
  const router = useRouter();
  const entries = [...mainEntries, ...buildEntries, ...observeEntries, adminEntry].filter(
    ({ permissions }) => !permissions || may(...permissions),
  );
  return [
    ...entries.map(({ path, label, icon: Icon, key }) => ({
      ...{ id: `to ${path}`, label, note: words.page, icon: <Icon size={16} />, keys: sayKeys(`g ${key}`) },
      href: `/w/${w}/${path}`,
    })),
    { id: 'help', label: helpTexts.title, note: words.page, icon: <CircleHelp size={16} />, href: '/help' },
    { id: 'account', label: t.shell.account, note: words.page, icon: <UserRound size={16} />, href: '/account' },
    ...workspaces
      .filter(({ id }) => id !== w)
      .map(({ id, name }) => ({
        ...{ id: `workspace ${id}`, label: name, note: words.workspace, icon: <PanelLeft size={16} /> },
        href: samePage(router.state.location.pathname, id),
      })),
  ];
}

/** The guides by their names. */
export const guideEntries: readonly PaletteEntry[] = guideSubjects.flatMap(({ guides }) =>
  guides.map(({ key, title, about }) => ({
    ...{ id: `guide ${key}`, label: title, note: about, icon: <BookOpenText size={16} />, href: `/help/${key}` },
  })),
);
