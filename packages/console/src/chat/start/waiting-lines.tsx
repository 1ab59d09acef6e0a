import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Hand } from 'lucide-react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { sayTime } from '../../lib/time.ts';
import { t } from '../../text/en.ts';

const mostLines = 3;

/** What waits for the person: at most three lines, and the way to the inbox. */
export function WaitingLines() {
  const client = useClient();
  const { id: w } = useWorkspace();
  const { data } = useQuery({
    queryKey: [w, 'conversations', 'list', 'waiting-for-me'],
    queryFn: () =>
      client.conversations.list({
        view: 'summary',
        mine: true,
        status: 'awaiting_human_feedback',
        page_size: mostLines,
      }),
  });
  if (!data?.items.length) return null;
  return (
    <section aria-labelledby="waiting-for-you" className="rounded-3 border border-warn-line bg-surface">
      <h2
        id="waiting-for-you"
        className="flex items-center gap-2 rounded-t-3 bg-warn-soft px-3.5 py-2 text-dense text-warn"
      >
        <Hand size={15} aria-hidden />
        {t.chat.start.waiting}
        <Link to="/w/$w/inbox" params={{ w }} className="ml-auto font-medium text-warn">
          {t.chat.start.allWaiting}
        </Link>
      </h2>
      <ul>
        {data.items.map(({ id, name, last_updated_at }) => (
          <li key={id} className="border-t border-line first:border-t-0">
            <Link
              to="/w/$w/chat/$id"
              params={{ w, id }}
              search={(before) => ({ ...before, message: undefined, new: undefined })}
              className="flex min-h-10 items-center gap-2 px-3.5 py-1.5 text-label text-text no-underline hover:bg-bg pointer-coarse:min-h-11"
            >
              <span className="min-w-0 flex-1 truncate">{name ?? t.chat.list.untitled}</span>
              <span className="text-caption text-text-3">{sayTime(last_updated_at)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
