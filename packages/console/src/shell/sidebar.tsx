import { Link } from '@tanstack/react-router';
import { CircleHelp, Search } from 'lucide-react';
import { useMay, useWorkspace } from '../api/session.ts';
import { sayKeys } from '../lib/shortcuts.ts';
import { t } from '../text/en.ts';
import { cx } from '../ui/cx.ts';
import { AccountMenu } from './account-menu.tsx';
import { adminEntry, buildEntries, type Entry, mainEntries, observeEntries } from './entries.tsx';
import { NotificationBell } from './notification-bell.tsx';
import { useShell } from './shell-store.ts';
import { useWaitingCount } from './use-waiting-count.ts';
import { WorkspaceMenu } from './workspace-menu.tsx';

/** Names are hidden between 900 and 1280 px and when the person folded the sidebar; they stay for screen readers. */
export function Sidebar({ inDrawer }: { inDrawer?: boolean }) {
  const folded = useShell(({ folded }) => folded) && !inDrawer;
  const open = useShell(({ open }) => open);
  const narrow = !inDrawer && 'max-wide:w-14';
  const label = cx('flex-1 truncate', folded && 'sr-only', !inDrawer && 'max-wide:sr-only');
  return (
    <nav
      aria-label={t.shell.mainNavigation}
      className={cx(
        'flex h-full flex-none flex-col gap-0.5 overflow-y-auto bg-bg p-2.5',
        inDrawer ? 'w-full' : 'border-r border-line',
        !inDrawer && (folded ? 'w-14' : 'w-57'),
        narrow,
      )}
    >
      <WorkspaceMenu labelClass={label} />
      <button
        type="button"
        onClick={() => open('palette')}
        className="mb-2 flex h-8 w-full items-center gap-2 rounded-2 border border-line-2 bg-surface px-2 text-left text-dense text-text-3 pointer-coarse:h-11"
      >
        <Search size={15} aria-hidden className="flex-none" />
        <span className={label}>{t.shell.searchOrJump}</span>
        {!folded && <kbd className={cx(!inDrawer && 'max-wide:hidden')}>{sayKeys('mod+k')}</kbd>}
      </button>
      <Entries entries={mainEntries} labelClass={label} />
      <GroupName labelClass={label}>{t.shell.build}</GroupName>
      <Entries entries={buildEntries} labelClass={label} />
      <GroupName labelClass={label}>{t.shell.observe}</GroupName>
      <Entries entries={observeEntries} labelClass={label} />
      <div className="flex-1" />
      <Entries entries={[adminEntry]} labelClass={label} />
      <button type="button" onClick={() => open('shortcuts')} className={entryLook}>
        <CircleHelp size={16} aria-hidden className="flex-none" />
        <span className={cx(label, 'text-left')}>{t.shell.help}</span>
        {!folded && <kbd className={cx(!inDrawer && 'max-wide:hidden')}>?</kbd>}
      </button>
      <div
        className={cx(
          'mt-1.5 flex items-center gap-1 border-t border-line pt-2',
          !inDrawer && 'max-wide:flex-col',
          folded && 'flex-col',
        )}
      >
        <AccountMenu labelClass={label} />
        <NotificationBell />
      </div>
    </nav>
  );
}

const entryLook =
  'group flex h-7.5 flex-none items-center gap-2.25 rounded-2 px-2 text-label font-medium text-text-2 hover:bg-sunken aria-[current=page]:bg-selected aria-[current=page]:text-text pointer-coarse:h-11';

const GroupName = ({ children, labelClass }: { children: string; labelClass: string }) => (
  <h2 className={cx('px-2 pt-3 pb-1 text-caption text-text-3', labelClass, 'flex-none')}>{children}</h2>
);

function Entries({ entries, labelClass }: { entries: readonly Entry[]; labelClass: string }) {
  const { id } = useWorkspace();
  const may = useMay();
  const waiting = useWaitingCount();
  const shown = entries.filter(({ permissions }) => !permissions || may(...permissions));
  return shown.map(({ path, label, icon: Icon }) => (
    <Link
      key={path}
      to={`/w/${id}/${path}` as string}
      activeProps={{ 'aria-current': 'page' }}
      className={entryLook}
      title={label}
    >
      <span aria-hidden className="flex-none group-aria-[current=page]:text-accent">
        <Icon size={16} />
      </span>
      <span className={labelClass}>{label}</span>
      {path === 'inbox' && waiting > 0 && (
        <span className="num min-w-4.5 rounded-full bg-accent px-1.25 text-center text-[11px] leading-4.5 font-semibold text-on-accent">
          <span aria-hidden>{waiting > 99 ? '99+' : waiting}</span>
          <span className="sr-only">{t.shell.waiting(waiting)}</span>
        </span>
      )}
    </Link>
  ));
}
