import { Link } from '@tanstack/react-router';
import { Ellipsis, Pin } from 'lucide-react';
import { memo } from 'react';
import { sayExactTime } from '../../lib/time.ts';
import { t } from '../../text/en.ts';
import { Dot } from '../../ui/chip.tsx';
import { cx } from '../../ui/cx.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { ConversationMenu } from './conversation-menu.tsx';
import { sayShortTime } from './say-short-time.ts';
import type { Summary } from './use-conversations.ts';

/** What a conversation does now, or its last line. */
function stateOf(item: Summary): { text: string; tone?: 'warn' | 'accent' | 'bad'; live?: boolean } {
  if (item.waiting_approvals > 0) return { text: t.chat.list.waitingApproval, tone: 'warn' };
  if (item.waiting_questions > 0) return { text: t.chat.list.waitingAnswer, tone: 'warn' };
  if (item.status === 'awaiting_human_feedback') return { text: t.chat.list.waitingPerson, tone: 'warn' };
  if (item.status === 'running')
    return { text: t.chat.list.writing(item.agent?.name ?? ''), tone: 'accent', live: true };
  if (item.status === 'failed') return { text: t.chat.list.failed, tone: 'bad' };
  if (item.status === 'stopped' && !item.last_line) return { text: t.chat.list.stopped };
  return { text: item.last_line ?? '' };
}

interface ConversationRowProps {
  item: Summary;
  w: string;
  current: boolean;
}

export const ConversationRow = memo(function ConversationRow({ item, w, current }: ConversationRowProps) {
  const { text, tone, live } = stateOf(item);
  const name = item.name ?? t.chat.list.untitled;
  return (
    <li className={cx('group/row relative mx-1.5 rounded-2', current ? 'bg-selected' : 'hover:bg-sunken')}>
      <Link
        to="/w/$w/chat/$id"
        params={{ w, id: item.id }}
        search={(before) => ({ ...before, message: undefined, new: undefined })}
        aria-current={current ? 'true' : undefined}
        className="flex flex-col gap-0.5 rounded-2 px-2.5 py-1.75 text-text no-underline pointer-coarse:py-2.5"
      >
        <span className="flex items-center gap-2">
          <span className={cx('min-w-0 flex-1 truncate text-label', item.unread ? 'font-semibold' : 'font-medium')}>
            {name}
          </span>
          {item.pinned && <Pin size={12} aria-label={t.chat.list.groups.pinned} className="flex-none text-text-3" />}
          <time
            dateTime={item.last_updated_at}
            title={sayExactTime(item.last_updated_at)}
            className="num text-caption text-text-3 group-focus-within/row:invisible group-hover/row:invisible"
          >
            {sayShortTime(item.last_updated_at)}
          </time>
        </span>
        <span className="flex min-h-4 items-center gap-1.5 text-caption text-text-3">
          {tone && <Dot tone={tone} live={live} />}
          <span className="min-w-0 flex-1 truncate">{text}</span>
          {item.unread && !current && (
            <>
              <Dot tone="accent" />
              <span className="sr-only">{t.chat.list.unread}</span>
            </>
          )}
        </span>
      </Link>
      <span className="absolute top-0.5 right-1 opacity-0 group-focus-within/row:opacity-100 group-hover/row:opacity-100 pointer-coarse:hidden">
        <ConversationMenu
          id={item.id}
          name={name}
          marks={item}
          trigger={<IconButton label={t.chat.list.more(name)} icon={<Ellipsis size={15} />} />}
        />
      </span>
    </li>
  );
});
