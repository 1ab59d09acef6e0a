import { AtriumError } from '@atrium/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useRouter, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { useClient, useWorkspace } from '../../api/session.ts';
import { useShortcuts } from '../../lib/shortcuts.ts';
import { t } from '../../text/en.ts';
import { useTitle } from '../../ui/page.tsx';
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx';
import { ThreadComposer } from '../composer/thread-composer.tsx';
import type { Branches } from '../message/branch-switch.tsx';
import { ThreadContext } from '../message/message-context.ts';
import { later } from '../parts/later.tsx';
import { chatSlots } from '../parts/slots.ts';
import { LiveRegion } from '../thread/live-region.tsx';
import { PrintedThread } from '../thread/printed-thread.tsx';
import { StreamNotice } from '../thread/stream-notice.tsx';
import { ThreadView } from '../thread/thread-view.tsx';
import { threadOf } from '../thread/threads.ts';
import { printThread } from '../thread/use-printing.ts';
import { useThread } from '../thread/use-thread.ts';
import { ConversationHeader } from './conversation-header.tsx';
import { DetailsPane } from './details-pane.tsx';
import { type ConversationRecord, useAgent, useConversation } from './use-conversation.ts';

const RefusalCard = later(() => import('./refusal-card.tsx').then((file) => file.RefusalCard));

const noBranches: ReadonlyMap<string, Branches> = new Map();

export function ConversationPage() {
  const { id } = useParams({ from: '/signed-in/w/$w/chat/$id' });
  const { id: w } = useWorkspace();
  const { data, error, refetch } = useConversation(id);
  useTitle(data?.name ?? t.chat.list.untitled);
  if (error instanceof AtriumError && error.status === 404)
    return (
      <EmptyState wholePage className="flex-1" title={t.chat.thread.gone.title} help={t.chat.thread.gone.help}>
        <Link to="/w/$w/chat" params={{ w }} className="font-medium">
          {t.chat.thread.gone.action}
        </Link>
      </EmptyState>
    );
  if (!data)
    return (
      <div className="flex-1">
        {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Loading rows={8} />}
      </div>
    );
  return <Conversation key={id} conversation={data} />;
}

/** The versions of messages that have several, by the one that is shown. */
function useBranches(id: string, etag: string | null): ReadonlyMap<string, Branches> {
  const client = useClient();
  const { id: w } = useWorkspace();
  const { data } = useQuery({
    queryKey: [w, 'conversations', id, 'branches', etag],
    queryFn: () => client.branches.list(id),
    placeholderData: (before) => before,
    staleTime: 60_000,
  });
  return useMemo(() => {
    if (!data?.length) return noBranches;
    return new Map(
      data.flatMap(({ message_id, number, branches }) =>
        message_id ? [[message_id, { number, ids: branches.map((branch) => branch.message_id) }] as const] : [],
      ),
    );
  }, [data]);
}

function Conversation({ conversation }: { conversation: ConversationRecord }) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const { id, etag, status, settings } = conversation;
  const { message, panel } = useSearch({ from: '/signed-in/w/$w/chat/$id' });
  const router = useRouter();
  const thread = threadOf(w, id);
  const agent = useAgent(conversation.assistant_id);
  const agentName = agent?.name ?? t.shell.product;
  const phase = useThread(thread, (snapshot) => snapshot.phase);
  const isEmpty = useThread(thread, (snapshot) => snapshot.messages.length === 0);
  const branches = useBranches(id, etag);
  const maySend = conversation.may?.['send'] !== false && !conversation.is_locked;
  const people = useMemo(
    () => ({ thread, workspaceId: w, agentName, agentPicture: agent?.image_url, maySend, models: settings.model }),
    [thread, w, agentName, agent?.image_url, maySend, settings.model],
  );

  useEffect(() => {
    void thread.sync({ status, etag });
  }, [thread, status, etag]);

  // What is looked at is read, also what comes in meanwhile.
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each change of the conversation.
  useEffect(() => {
    if (document.visibilityState !== 'visible') return;
    client.conversations
      .mark(id, { unread: false })
      .then(() => queryClient.invalidateQueries({ queryKey: [w, 'conversations', 'list'] }))
      .catch(() => {});
  }, [client, id, etag]);

  useShortcuts([{ keys: 'mod+p', label: t.chat.print.action, onPress: () => void printThread(thread) }]);
  const { AboveComposer } = chatSlots;
  const setPanel = (next: 'details' | undefined) =>
    void router.navigate({ to: '.', search: (before: object) => ({ ...before, panel: next }), replace: true });
  return (
    <ThreadContext value={people}>
      <section className="flex min-h-0 min-w-0 flex-1 flex-col">
        <ConversationHeader
          conversation={conversation}
          agent={agent}
          thread={thread}
          panel={panel}
          onPanel={setPanel}
        />
        {phase === 'failed' ? (
          <div className="flex-1">
            <ErrorState error={thread.snapshot().error} onRetry={() => void thread.retryLoad({ status, etag })} />
          </div>
        ) : phase === 'ready' ? (
          <>
            {isEmpty && <EmptyState title={t.chat.thread.begin} />}
            <ThreadView key={id} thread={thread} branches={branches} target={message} />
          </>
        ) : (
          <div className="mx-auto w-full max-w-184 flex-1">
            <Loading rows={6} />
          </div>
        )}
        <div className="mx-auto w-full max-w-184 flex-none px-6 pb-4 max-narrow:px-3 max-narrow:pb-2.5">
          <StreamNotice thread={thread} />
          <RefusalCard thread={thread} conversation={conversation} />
          {AboveComposer && <AboveComposer conversation={conversation} thread={thread} />}
          <ThreadComposer thread={thread} conversation={conversation} agentName={agentName} />
        </div>
        <PrintedThread thread={thread} name={conversation.name ?? t.chat.list.untitled} />
        <LiveRegion thread={thread} agentName={agentName} />
      </section>
      <DetailsPane
        open={panel === 'details'}
        onClose={() => setPanel(undefined)}
        conversation={conversation}
        thread={thread}
      />
    </ThreadContext>
  );
}
