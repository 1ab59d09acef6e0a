import { Link } from '@tanstack/react-router';
import { Activity, Bot, Ellipsis, Inbox, MessageSquare } from 'lucide-react';
import { useWorkspace } from '../api/session.ts';
import { t } from '../text/en.ts';
import { useWaitingCount } from './use-waiting-count.ts';

const look =
  'relative flex min-h-13 flex-1 flex-col items-center justify-center gap-0.5 text-caption font-medium text-text-2 aria-[current=page]:text-accent';

/** The way between pages below 900 px. */
export function PhoneBar({ onMore }: { onMore: () => void }) {
  const { id } = useWorkspace();
  const waiting = useWaitingCount();
  const entry = (path: string, label: string, icon: React.ReactNode) => (
    <Link to={`/w/${id}/${path}` as string} activeProps={{ 'aria-current': 'page' }} className={look}>
      {icon}
      {label}
    </Link>
  );
  return (
    <nav
      aria-label={t.shell.more}
      className="flex flex-none border-t border-line bg-bg pb-[env(safe-area-inset-bottom)] narrow:hidden"
    >
      {entry('chat', t.shell.chat, <MessageSquare size={18} aria-hidden />)}
      <Link to="/w/$w/inbox" params={{ w: id }} activeProps={{ 'aria-current': 'page' }} className={look}>
        <Inbox size={18} aria-hidden />
        {t.shell.inbox}
        {waiting > 0 && (
          <span className="num absolute top-1 left-1/2 ml-1.5 min-w-4 rounded-full bg-accent px-1 text-center text-[10px] leading-4 font-semibold text-on-accent">
            {waiting > 99 ? '99+' : waiting}
          </span>
        )}
      </Link>
      {entry('agents', t.shell.agents, <Bot size={18} aria-hidden />)}
      {entry('runs', t.shell.runs, <Activity size={18} aria-hidden />)}
      <button type="button" onClick={onMore} className={look}>
        <Ellipsis size={18} aria-hidden />
        {t.shell.more}
      </button>
    </nav>
  );
}
