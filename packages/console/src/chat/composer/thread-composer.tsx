import { useEffect, useRef } from 'react';
import { useShortcuts } from '../../lib/shortcuts.ts';
import { t } from '../../text/en.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { sayFailure, sayToast } from '../../ui/toast.tsx';
import { agentWords } from '../conversation/agent-words.ts';
import type { ConversationRecord } from '../conversation/use-conversation.ts';
import { beginEditing } from '../message/editing.ts';
import { editUnsent } from '../message/not-sent.tsx';
import { draftKeyOf } from '../thread/draft-key.ts';
import { textOf } from '../thread/message-types.ts';
import type { MessageExtras, Thread } from '../thread/thread-store.ts';
import { useThread } from '../thread/use-thread.ts';
import { Composer } from './composer.tsx';
import { dequeue, enqueue, useQueue } from './queue.ts';

interface ThreadComposerProps {
  thread: Thread;
  conversation: ConversationRecord;
  agentName: string;
}

/** The composer of a conversation: sends, stops, and lines up what is sent while the agent answers. */
export function ThreadComposer({ thread, conversation, agentName }: ThreadComposerProps) {
  const { conversationId } = thread;
  const answering = useThread(thread, (snapshot) => snapshot.answering);
  const waiting = useThread(thread, (snapshot) => snapshot.waiting);
  const ready = useThread(thread, (snapshot) => snapshot.phase === 'ready');
  const queue = useQueue(conversationId);
  const stopped = useRef(false);

  const send = (content: string, extras: MessageExtras = {}) => {
    stopped.current = false;
    // The message itself says when it was not sent.
    void thread.send(content, extras).catch(() => {
      // What waits in line would be refused as well: the person decides.
      stopped.current = true;
    });
  };
  const stop = () => {
    stopped.current = true;
    void thread.stop().catch((error) => sayFailure(error));
  };
  const sendQueued = (at: number) => {
    const content = dequeue(conversationId, at);
    if (content !== undefined) send(content);
  };

  // What waits is sent once the answer has ended by itself; after Stop the person decides.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the answer ends.
  useEffect(() => {
    if (ready && !answering && !waiting && queue.length > 0 && !stopped.current) sendQueued(0);
  }, [ready, answering, waiting, queue.length]);

  useShortcuts([
    { keys: 'mod+.', label: t.chat.composer.stop, onPress: () => answering && stop() },
    {
      keys: 'mod+shift+c',
      label: t.chat.message.copyLast,
      onPress: () => {
        const last = thread.snapshot().messages.findLast(({ role }) => role === 'assistant');
        if (last) void navigator.clipboard.writeText(textOf(last));
      },
    },
  ]);

  const refused = conversation.is_locked
    ? (conversation.lock_message ?? t.chat.composer.locked)
    : conversation.may?.['send'] === false
      ? t.chat.composer.notAllowed
      : undefined;
  const editLast = () => {
    const unsent = thread.snapshot().messages.findLast(({ state }) => state === 'unsent');
    if (unsent) return editUnsent(thread, unsent);
    const last = thread.snapshot().messages.findLast(({ role, id }) => role === 'user' && id);
    if (last && !answering) beginEditing(last.key);
  };
  return (
    <Composer
      draftKey={draftKeyOf(conversationId)}
      conversationId={conversationId}
      placeholder={agentWords(conversation.settings, 'chat_input_placeholder', t.chat.composer.replyTo(agentName))}
      answering={answering}
      refused={refused}
      onSend={(content, extras) => {
        // Only words wait in line; files stay with the words until the answer is there.
        if ((answering || waiting) && extras.files?.length) {
          sayToast({ text: t.chatParts.files.notInLine });
          return false;
        }
        if (answering || waiting) enqueue(conversationId, content);
        else send(content, extras);
        return true;
      }}
      onStop={stop}
      onEditLast={editLast}
      autoFocus
      above={
        queue.length > 0 && (
          <Queue queue={queue} idle={!answering} onSend={sendQueued} onRemove={(at) => dequeue(conversationId, at)} />
        )
      }
    />
  );
}

function Queue(props: {
  queue: readonly string[];
  idle: boolean;
  onSend: (at: number) => void;
  onRemove: (at: number) => void;
}) {
  return (
    <ul
      aria-label={t.chat.composer.queued}
      className="mb-2 flex flex-wrap items-center gap-1.5 max-phone:px-2 max-phone:pt-1"
    >
      {props.queue.map((content, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the line only moves up.
        <li key={at} className="flex min-w-0 items-center gap-1">
          <Chip onRemove={() => props.onRemove(at)} removeLabel={t.chat.composer.removeQueued}>
            {t.chat.composer.queued}: {content.slice(0, 60)}
          </Chip>
          {props.idle && at === 0 && (
            <Button size="small" look="ghost" onClick={() => props.onSend(at)}>
              {t.chat.composer.sendQueued}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
