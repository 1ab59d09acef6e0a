import { AtriumError } from '@atrium/sdk';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { client } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { Composer } from '../chat/composer/composer.tsx';
import { LiveRegion } from '../chat/thread/live-region.tsx';
import { useThread } from '../chat/thread/use-thread.ts';
import { Logo } from '../shell/logo.tsx';
import { t } from '../text/en.ts';
import { PageName, useTitle } from '../ui/page.tsx';
import { EmptyState, ErrorState, Loading } from '../ui/states.tsx';
import { sayFailure } from '../ui/toast.tsx';
import { GuestMessage } from './guest-message.tsx';
import { guestThreadOf } from './guest-thread.ts';

/** How often a guest's page asks for what others wrote: guests have no live events. */
const everyMs = 4000;

/** The page that the link of a shared chat opens: read it, and go on where the link allows it. */
export function SharedPage() {
  const { token } = useParams({ from: '/shared/$token' });
  const queryKey = ['shared', token];
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: () => client.publicConversations.get(token),
    refetchInterval: (query) => (query.state.error ? false : everyMs),
    retry: false,
  });
  useTitle(data?.name ?? t.share.page.title);
  const isGone = error instanceof AtriumError && error.status === 404;
  return (
    <div className="flex h-full flex-col bg-surface">
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
          <SharedChat token={token} conversation={data} />
        ) : error ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <Loading rows={6} />
        )}
      </main>
    </div>
  );
}

type PublicConversation = Awaited<ReturnType<typeof client.publicConversations.get>>;

function SharedChat({ token, conversation }: { token: string; conversation: PublicConversation }) {
  const { status, etag, read_only, is_locked, lock_message } = conversation;
  const thread = guestThreadOf(token, () => void queryClient.invalidateQueries({ queryKey: ['shared', token] }));
  const messages = useThread(thread, (snapshot) => snapshot.messages);
  const answering = useThread(thread, (snapshot) => snapshot.answering);
  const waiting = useThread(thread, (snapshot) => snapshot.waiting);
  const end = useRef<HTMLDivElement>(null);

  useEffect(() => {
    void thread.sync({ status, etag });
  }, [thread, status, etag]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each message.
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'end' });
  }, [messages.length]);

  const refused = read_only
    ? t.share.page.readOnly
    : is_locked
      ? (lock_message ?? t.share.page.locked)
      : waiting
        ? t.share.page.waits
        : undefined;
  return (
    <>
      <div
        role="log"
        aria-live="off"
        aria-label={t.chat.thread.label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the thread is scrolled with the keyboard.
        tabIndex={0}
        className="min-h-0 flex-1 overflow-y-auto outline-offset-[-2px]"
      >
        <div className="mx-auto flex w-full max-w-184 flex-col gap-6 px-6 py-6 max-narrow:px-4">
          {messages.map((message) => (
            <GuestMessage key={message.key} message={message} token={token} />
          ))}
          <div ref={end} />
        </div>
      </div>
      <div className="mx-auto w-full max-w-184 flex-none px-6 pb-4 max-narrow:px-3 max-narrow:pb-2.5">
        {read_only ? (
          <p className="pb-2 text-center text-dense text-text-2">{t.share.page.readOnly}</p>
        ) : (
          <Composer
            plain
            draftKey={`shared.${conversation.id}`}
            placeholder={t.share.page.ask}
            answering={answering}
            refused={refused}
            onSend={(content) => {
              if (answering) return false;
              void thread.send(content).catch((error) => sayFailure(error));
              return true;
            }}
            onStop={() => void thread.stop().catch((error) => sayFailure(error))}
          />
        )}
      </div>
      <LiveRegion thread={thread} agentName={t.share.page.agent} />
    </>
  );
}
