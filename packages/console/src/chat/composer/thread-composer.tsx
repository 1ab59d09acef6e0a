import { makeIdempotencyKey } from '@atrium/sdk';
import { useEffect, useRef } from 'react';
import { returnWords } from '../../lib/local-drafts.ts';
import { useOnline } from '../../lib/online.ts';
import { useShortcuts } from '../../lib/shortcuts.ts';
import { t } from '../../text/en.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { sayFailure, sayToast } from '../../ui/toast.tsx';
import { agentWords } from '../conversation/agent-words.ts';
import type { ConversationRecord } from '../conversation/use-conversation.ts';
import { beginEditing } from '../message/editing.ts';
import { useThreadPeople } from '../message/message-context.ts';
import { editUnsent } from '../message/not-sent.tsx';
import { draftKeyOf } from '../thread/draft-key.ts';
import { textOf } from '../thread/message-types.ts';
import type { Thread } from '../thread/thread-store.ts';
import { useThread } from '../thread/use-thread.ts';
import { Composer } from './composer.tsx';
import { dequeue, enqueue, enqueueFirst, useQueue, type Waiting } from './queue.ts';

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
  const { workspaceId } = useThreadPeople();
  const online = useOnline();
  const queue = useQueue(conversationId);
  const stopped = useRef(false);

  const send = (entry: Waiting) => {
    stopped.current = false;
    const { key, content, extras = {}, offline = false } = entry;
    void thread
      .send(content, extras, { key, hold: true, again: offline })
      .then((outcome) => outcome === 'held' && enqueueFirst(conversationId, { ...entry, offline: true }))
      // The message itself says when it was not sent.
      .catch(() => {
        // What waits in line would be refused as well: the person decides.
        stopped.current = true;
      });
  };
  const stop = () => {
    stopped.current = true;
    void thread.stop().catch((error) => sayFailure(error));
  };
  const sendQueued = (key: string) => {
    const entry = dequeue(conversationId, key);
    if (entry) send(entry);
  };
  const takeBack = ({ key }: Waiting) => {
    const entry = dequeue(conversationId, key);
    if (entry?.offline) returnWords(draftKeyOf(conversationId), entry.content);
  };
  const next = queue[0]?.key;

  // What waits is sent once the answer has ended by itself and there is a network; after Stop the person decides.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the answer ends.
  useEffect(() => {
    if (online && ready && !answering && !waiting && next !== undefined && !stopped.current) sendQueued(next);
  }, [online, ready, answering, waiting, next]);

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
        const busy = answering || waiting;
        // Only words wait in line; files stay with the words until the answer is there.
        if (busy && extras.files?.length) {
          sayToast({ text: t.chatParts.files.notInLine });
          return false;
        }
        const entry = { key: makeIdempotencyKey(), content, extras, workspaceId };
        // Behind what was written before it.
        if (!online || queue.some(({ offline }) => offline)) {
          stopped.current = false;
          enqueue(conversationId, { ...entry, offline: true });
        } else if (busy) enqueue(conversationId, entry);
        else send(entry);
        return true;
      }}
      onStop={stop}
      onEditLast={editLast}
      autoFocus
      above={
        queue.length > 0 && <Queue queue={queue} idle={!answering && online} onSend={sendQueued} onRemove={takeBack} />
      }
    />
  );
}

interface QueueProps {
  queue: readonly Waiting[];
  /** Whether the first one can be sent now. */
  idle: boolean;
  onSend: (key: string) => void;
  onRemove: (entry: Waiting) => void;
}

function Queue({ queue, idle, onSend, onRemove }: QueueProps) {
  const online = useOnline();
  const words = t.chat.composer;
  return (
    <div className="mb-2 max-phone:px-2 max-phone:pt-1">
      <ul
        aria-label={queue.some(({ offline }) => offline) ? words.outbox : words.queued}
        className="flex flex-wrap items-center gap-1.5"
      >
        {queue.map((entry, at) => (
          <li key={entry.key} className="flex min-w-0 items-center gap-1">
            <Chip
              tone={entry.offline ? 'warn' : 'plain'}
              onRemove={() => onRemove(entry)}
              removeLabel={entry.offline ? words.takeBack : words.removeQueued}
            >
              {entry.offline ? words.outbox : words.queued}: {entry.content.slice(0, 60)}
            </Chip>
            {idle && at === 0 && (
              <Button size="small" look="ghost" onClick={() => onSend(entry.key)}>
                {words.sendQueued}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <p role="status" className="text-caption text-text-2 not-empty:mt-1.5">
        {!online && queue.some(({ offline }) => offline) ? words.outboxHelp : ''}
      </p>
    </div>
  );
}
