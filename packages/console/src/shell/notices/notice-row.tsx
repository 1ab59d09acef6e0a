import type { NotificationKind } from '@atrium/contract/notifications/kinds.ts';
import { useRouter } from '@tanstack/react-router';
import { ChevronDown, ChevronRight, CircleAlert, Gauge, Hand, Lock, Plug, Share2 } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { personClient } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { useSession } from '../../api/session.ts';
import { sayExactTime, sayTime } from '../../lib/time.ts';
import { accountTexts } from '../../text/account.ts';
import { t } from '../../text/en.ts';
import { cx } from '../../ui/cx.ts';
import { addressOfNotice, type NoticeBundle } from './bundle-notices.ts';
import { NoticeRequests } from './notice-requests.tsx';

const words = t.shell.notices;
const looks: Record<NotificationKind, readonly [ReactNode, string]> = {
  approval_asked: [<Hand key="i" size={16} />, 'text-warn'],
  run_failed: [<CircleAlert key="i" size={16} />, 'text-bad'],
  unlock_asked: [<Lock key="i" size={16} />, 'text-warn'],
  unlock_answered: [<Lock key="i" size={16} />, 'text-text-2'],
  budget_warned: [<Gauge key="i" size={16} />, 'text-warn'],
  budget_reached: [<Gauge key="i" size={16} />, 'text-bad'],
  channel_failing: [<Plug key="i" size={16} />, 'text-bad'],
  trigger_failed: [<CircleAlert key="i" size={16} />, 'text-bad'],
  webhook_disabled: [<Plug key="i" size={16} />, 'text-bad'],
  tools_held: [<Hand key="i" size={16} />, 'text-warn'],
  shared: [<Share2 key="i" size={16} />, 'text-text-2'],
};

/** One line for all notices of a kind about one thing; it leads to the thing and is read then. What waits is answered below it. */
export function NoticeRow({ bundle, onOpened }: { bundle: NoticeBundle; onOpened: () => void }) {
  const { newest, ids, unread } = bundle;
  const { workspaces } = useSession();
  const router = useRouter();
  const [icon, tone] = looks[newest.kind];
  const workspace = workspaces.length > 1 && workspaces.find(({ id }) => id === newest.group_id)?.name;
  const [shown, setShown] = useState(false);
  const id = useId();
  const Chevron = shown ? ChevronDown : ChevronRight;
  const waits = newest.kind === 'approval_asked' || newest.kind === 'unlock_asked';
  const open = () => {
    if (waits) return setShown(!shown);
    onOpened();
    router.history.push(addressOfNotice(newest));
    markRead();
  };
  const markRead = () => {
    // Read even when the list is closed meanwhile; a failure shows as an unread line.
    void Promise.all(unread.map((id) => personClient.notifications.markRead(id)))
      .catch(() => {})
      .then(() => queryClient.invalidateQueries({ queryKey: ['notifications'] }));
  };
  return (
    <li>
      <button
        type="button"
        onClick={open}
        {...(waits && { 'aria-expanded': shown, 'aria-controls': id })}
        className="flex w-full items-start gap-3 rounded-3 px-3 py-2.5 text-left hover:bg-sunken"
      >
        <span
          aria-hidden
          className={cx(
            'mt-0.5 grid size-8 flex-none place-items-center rounded-2 border border-line bg-surface',
            tone,
          )}
        >
          {icon}
        </span>
        <span className="min-w-0 flex-1">
          <span className={cx('block text-label', unread.length > 0 && 'font-medium')}>
            {newest.subject && <span className="font-medium">{newest.subject.name}: </span>}
            {accountTexts.notifications.kinds[newest.kind]}
            {ids.length > 1 && <span className="num font-normal text-text-3"> {words.times(ids.length)}</span>}
          </span>
          <span className="block truncate text-caption text-text-3" title={sayExactTime(newest.created_at)}>
            {[newest.actor?.name, workspace, sayTime(newest.created_at)].filter(Boolean).join(' · ')}
          </span>
        </span>
        {unread.length > 0 && (
          <span className="mt-1.5 size-1.75 flex-none rounded-full bg-accent">
            <span className="sr-only">{words.unread}</span>
          </span>
        )}
        {waits && <Chevron size={16} aria-hidden className="mt-1 flex-none text-text-3" />}
      </button>
      {shown && (
        <div id={id} className="flex flex-col gap-2.5 px-3 pt-1 pb-3">
          <NoticeRequests bundle={bundle} onLeave={onOpened} onAnswered={markRead} />
        </div>
      )}
    </li>
  );
}
