import { useQuery } from '@tanstack/react-query';
import { RotateCcw } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { useClient, useWorkspace } from '../../api/session.ts';
import { Composer } from '../../chat/composer/composer.tsx';
import { conversationQuery } from '../../chat/conversation/use-conversation.ts';
import { ThreadContext } from '../../chat/message/message-context.ts';
import { LiveRegion } from '../../chat/thread/live-region.tsx';
import type { MessageExtras } from '../../chat/thread/thread-store.ts';
import { ThreadView } from '../../chat/thread/thread-view.tsx';
import { forgetThread, threadOf } from '../../chat/thread/threads.ts';
import { useThread } from '../../chat/thread/use-thread.ts';
import { agentTexts } from '../../text/agents.ts';
import { Chip } from '../../ui/chip.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { sayFailure } from '../../ui/toast.tsx';
import { useDraft, useEditor } from '../editor/editor-context.ts';
import { keepPreview, keptPreview } from './kept-preview.ts';

const words = agentTexts.preview;
const noBranches = new Map();

/** A small chat with the draft, beside the form. */
export function PreviewPane() {
  const { store, mayEdit } = useEditor();
  const { agent } = useDraft();
  const client = useClient();
  const { id: w } = useWorkspace();
  const [conversation, setConversation] = useState(() => keptPreview(agent.id));
  const [beginning, setBeginning] = useState(false);
  const begin = (id: string | undefined) => {
    keepPreview(agent.id, id);
    setConversation(id);
  };
  const restart = () => {
    if (!conversation) return;
    forgetThread(conversation);
    begin(undefined);
    client.conversations.delete(conversation).catch(() => {});
  };
  /** The draft is saved first: the answer has to come from what is shown. */
  const ask = async (content: string, extras: MessageExtras) => {
    setBeginning(true);
    try {
      await store.flush();
      const id = conversation ?? (await make());
      void threadOf(w, id)
        .send(content, extras)
        .catch((error) => sayFailure(error));
    } catch (error) {
      sayFailure(error);
    } finally {
      setBeginning(false);
    }
  };
  const make = async () => {
    const made = await client.conversations.create(
      { preview: true, name: words.conversation(agent.name).slice(0, 200) },
      { query: { assistant_id: agent.id } },
    );
    queryClient.setQueryData(conversationQuery(w, made.id).queryKey, made);
    begin(made.id);
    return made.id;
  };
  const refused = mayEdit ? undefined : agentTexts.needsEdit;
  return (
    <section aria-label={words.title} className="flex min-h-0 flex-1 flex-col bg-bg">
      <header className="flex h-11 flex-none items-center gap-2.5 border-b border-line pr-2 pl-3.5">
        <h2 className="text-label">{words.title}</h2>
        <Chip tone="accent">{words.draft}</Chip>
        <span className="ml-auto" />
        {conversation && <IconButton label={words.restart} icon={<RotateCcw size={15} />} onClick={restart} />}
      </header>
      {conversation ? (
        <PreviewThread
          key={conversation}
          id={conversation}
          ask={ask}
          beginning={beginning}
          onGone={() => begin(undefined)}
        />
      ) : (
        <>
          <p className="flex-1 px-4 py-3.5 text-dense text-text-3">{words.help}</p>
          <PreviewComposer agentId={agent.id} answering={beginning} refused={refused} onSend={ask} />
        </>
      )}
    </section>
  );
}

interface PreviewThreadProps {
  id: string;
  ask: (content: string, extras: MessageExtras) => Promise<void>;
  beginning: boolean;
  onGone: () => void;
}

function PreviewThread({ id, ask, beginning, onGone }: PreviewThreadProps) {
  const { agent } = useDraft();
  const { id: w } = useWorkspace();
  const thread = threadOf(w, id);
  const { data, isError } = useQuery(conversationQuery(w, id));
  const answering = useThread(thread, (snapshot) => snapshot.answering);
  const ready = useThread(thread, (snapshot) => snapshot.phase === 'ready');
  const people = useMemo(
    () => ({ thread, workspaceId: w, agentName: agent.name, agentPicture: agent.image_url, maySend: true }),
    [thread, w, agent.name, agent.image_url],
  );
  const { status, etag } = data ?? {};
  useEffect(() => {
    if (status !== undefined && etag !== undefined) void thread.sync({ status, etag });
  }, [thread, status, etag]);
  useEffect(() => {
    if (isError) onGone();
  }, [isError, onGone]);
  return (
    <ThreadContext value={people}>
      {/* The thread of the chat has wider margins than this pane. */}
      <div className="flex min-h-0 flex-1 flex-col [&_[data-index]]:px-4!">
        {ready ? <ThreadView thread={thread} branches={noBranches} target={undefined} /> : <div className="flex-1" />}
      </div>
      <PreviewComposer
        agentId={agent.id}
        conversationId={id}
        answering={answering || beginning}
        onSend={ask}
        onStop={() => void thread.stop().catch((error) => sayFailure(error))}
      />
      <LiveRegion thread={thread} agentName={agent.name} />
    </ThreadContext>
  );
}

function PreviewComposer(props: {
  agentId: string;
  conversationId?: string;
  answering: boolean;
  refused?: string | undefined;
  onSend: (content: string, extras: MessageExtras) => Promise<void>;
  onStop?: () => void;
}) {
  const { agentId, answering, onSend, onStop } = props;
  return (
    <div className="flex-none p-3">
      <Composer
        draftKey={`preview.${agentId}`}
        conversationId={props.conversationId}
        placeholder={words.ask}
        answering={answering}
        refused={props.refused}
        onStop={onStop}
        onSend={(content, extras) => {
          if (answering) return false;
          void onSend(content, extras);
          return true;
        }}
      />
    </div>
  );
}
