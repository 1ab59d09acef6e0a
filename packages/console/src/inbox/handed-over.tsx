import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { UserRound } from 'lucide-react';
import { useClient, useMay, useWorkspace } from '../api/session.ts';
import { sayTime } from '../lib/time.ts';
import { t } from '../text/en.ts';

/** Chats that a guardrail or a person took from the agent: they ask nothing in particular, and wait for words of a person. */
export function HandedOver() {
  const client = useClient();
  const { id } = useWorkspace();
  const may = useMay();
  const { data } = useQuery({
    queryKey: [id, 'conversations', 'handed-over'],
    queryFn: () => client.conversations.list({ status: 'awaiting_human_feedback', view: 'summary', size: 50 }),
    enabled: may('conversations_read'),
  });
  const chats =
    data?.items.filter(({ waiting_approvals, waiting_questions }) => waiting_approvals + waiting_questions === 0) ?? [];
  if (chats.length === 0) return null;
  return (
    <>
      <h2 className="px-3 pt-4 pb-1 text-caption text-text-3">{t.inbox.handedOver}</h2>
      <ul>
        {chats.map((chat) => (
          <li key={chat.id}>
            <Link
              to={`/w/${id}/chat/${chat.id}` as string}
              className="flex items-start gap-3 rounded-3 p-3 text-text hover:bg-sunken"
            >
              <span
                aria-hidden
                className="grid size-8 flex-none place-items-center rounded-2 border border-line bg-surface text-warn"
              >
                <UserRound size={16} />
              </span>
              <span className="min-w-0 flex-1">
                <span className="flex items-baseline gap-2">
                  <span className="min-w-0 flex-1 truncate font-medium">{chat.name ?? t.inbox.unnamed}</span>
                  <time dateTime={chat.last_updated_at} className="num flex-none text-caption text-text-3">
                    {sayTime(chat.last_updated_at)}
                  </time>
                </span>
                <span className="block truncate text-dense text-text-2">
                  {chat.agent?.name ?? t.inbox.anAgent} {t.inbox.handedOverHelp}
                </span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
