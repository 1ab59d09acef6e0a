import { AtriumError } from '@atrium/sdk';
import { useParams } from '@tanstack/react-router';
import { queryClient } from '../api/query-client.ts';
import type { Thread } from '../chat/thread/thread-store.ts';
import { Logo } from '../shell/logo.tsx';
import { t } from '../text/en.ts';
import { PageName, useTitle } from '../ui/page.tsx';
import { EmptyState, ErrorState, Loading } from '../ui/states.tsx';
import { GuestChat, guestKey, useGuestConversation } from './guest-chat.tsx';
import { makeGuestThread } from './guest-thread.ts';

const threads = new Map<string, Thread>();

function threadOf(token: string): Thread {
  const link = { token: () => token, begin: async () => token, forget: () => {} };
  const thread =
    threads.get(token) ??
    makeGuestThread(link, () => void queryClient.invalidateQueries({ queryKey: guestKey(token) }));
  threads.set(token, thread);
  return thread;
}

/** The page that the link of a shared chat opens: read it, and go on where the link allows it. */
export function SharedPage() {
  const { token } = useParams({ from: '/shared/$token' });
  const { data, error, refetch } = useGuestConversation(token);
  useTitle(data?.name ?? t.share.page.title);
  const isGone = error instanceof AtriumError && error.status === 404;
  return (
    <div data-paper className="flex h-full flex-col bg-surface">
      <header className="flex min-h-13 flex-none items-center gap-2.5 border-b border-line px-5 max-narrow:px-4">
        <Logo />
        <div className="min-w-0 flex-1">
          <PageName>{(!isGone && data?.name) || t.share.page.title}</PageName>
        </div>
        <span className="text-caption text-text-3 max-phone:hidden">{t.share.page.by}</span>
      </header>
      <main className="flex min-h-0 flex-1 flex-col">
        {isGone ? (
          <EmptyState className="flex-1" title={t.share.page.gone.title} help={t.share.page.gone.help} />
        ) : data ? (
          <GuestChat
            thread={threadOf(token)}
            token={token}
            conversation={data}
            draftKey={`shared.${data.id}`}
            placeholder={data.input_placeholder || t.share.page.ask}
            names={{ agent: t.share.page.agent, you: t.share.page.you }}
          />
        ) : error ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <Loading rows={6} />
        )}
      </main>
    </div>
  );
}
