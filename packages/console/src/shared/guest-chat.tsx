import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { client } from '../api/client.ts';
import { Composer } from '../chat/composer/composer.tsx';
import type { ChatSlots } from '../chat/slots.ts';
import { LiveRegion } from '../chat/thread/live-region.tsx';
import { type ChatMessage, textOf } from '../chat/thread/message-types.ts';
import { StreamNotice } from '../chat/thread/stream-notice.tsx';
import type { Thread } from '../chat/thread/thread-store.ts';
import { useThread } from '../chat/thread/use-thread.ts';
import { t } from '../text/en.ts';
import { sayFailure } from '../ui/toast.tsx';
import { GuestMessage } from './guest-message.tsx';
import { useStickToEnd } from './use-stick-to-end.ts';

export type PublicConversation = Awaited<ReturnType<typeof client.publicConversations.get>>;

/** How often a guest's page asks for what others wrote: guests have no live events. */
const everyMs = 4000;

export const guestKey = (token: string | undefined) => ['guest', token];

/** The conversation behind a guest's link. */
export const useGuestConversation = (token: string | undefined) =>
  useQuery({
    queryKey: guestKey(token),
    queryFn: () => client.publicConversations.get(token ?? ''),
    enabled: token !== undefined,
    refetchInterval: (query) => (query.state.error ? false : everyMs),
    retry: false,
  });

interface GuestChatProps {
  thread: Thread;
  token: string | undefined;
  /** Undefined until a visitor has written something. */
  conversation: PublicConversation | undefined;
  draftKey: string;
  placeholder: string;
  names: { agent: string; you: string };
  greeting?: string;
  slots?: Pick<ChatSlots, 'ComposerAttachments' | 'ComposerTools'>;
  /** The words with which an agent leaves a message unanswered. */
  noReply?: string | null;
}

/** Whether an answer is, or begins to become, the words that stand for none. */
const isUnanswered = (message: ChatMessage, noReply: string | null | undefined) =>
  Boolean(noReply && message.role === 'assistant' && textOf(message) && noReply.startsWith(textOf(message)));

function refusalOf(conversation: PublicConversation | undefined, waiting: boolean): string | undefined {
  if (conversation?.read_only) return t.share.page.readOnly;
  if (conversation?.is_locked) return conversation.lock_message ?? t.share.page.locked;
  return waiting ? t.share.page.waits : undefined;
}

/** A conversation as guests read and continue it. */
export function GuestChat(props: GuestChatProps) {
  const { thread, token, conversation, draftKey, placeholder, names, greeting, slots = {}, noReply } = props;
  const messages = useThread(thread, (snapshot) => snapshot.messages);
  const answering = useThread(thread, (snapshot) => snapshot.answering);
  const waiting = useThread(thread, (snapshot) => snapshot.waiting);
  const { scroller, content, pin } = useStickToEnd();
  const { status, etag } = conversation ?? {};

  useEffect(() => {
    if (status !== undefined && etag !== undefined) void thread.sync({ status, etag });
  }, [thread, status, etag]);

  const isReadOnly = conversation?.read_only === true;
  return (
    <>
      <div
        ref={scroller}
        role="log"
        aria-live="off"
        aria-label={t.chat.thread.label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the thread is scrolled with the keyboard.
        tabIndex={0}
        className="min-h-0 flex-1 overflow-x-hidden overflow-y-auto outline-offset-[-2px] print:overflow-visible"
      >
        <div ref={content} className="mx-auto flex w-full max-w-184 flex-col gap-6 px-6 py-6 max-narrow:px-4">
          {greeting && <p className="text-reading whitespace-pre-wrap max-phone:text-[16px]">{greeting}</p>}
          {messages.map((message) =>
            isUnanswered(message, noReply) ? null : (
              <GuestMessage
                key={message.key}
                message={message}
                thread={thread}
                token={token}
                feedback={isReadOnly ? undefined : conversation?.feedback_form}
                names={names}
              />
            ),
          )}
        </div>
      </div>
      <div className="mx-auto w-full max-w-184 flex-none px-6 print:hidden pb-[max(16px,env(safe-area-inset-bottom))] max-narrow:px-3 max-narrow:pb-[max(10px,env(safe-area-inset-bottom))]">
        <StreamNotice thread={thread} />
        {isReadOnly ? (
          <p className="pb-2 text-center text-dense text-text-2">{t.share.page.readOnly}</p>
        ) : (
          <Composer
            slots={slots}
            draftKey={draftKey}
            placeholder={placeholder}
            answering={answering}
            refused={refusalOf(conversation, waiting)}
            onSend={(words, extras) => {
              if (answering) return false;
              pin();
              // What was not sent is marked, with a way to send it again.
              void thread.send(words, extras).catch(() => {});
              return true;
            }}
            onStop={() => void thread.stop().catch((error) => sayFailure(error))}
          />
        )}
      </div>
      <LiveRegion thread={thread} agentName={names.agent} />
    </>
  );
}
