import { RotateCw, TriangleAlert } from 'lucide-react';
import { returnWords } from '../../lib/local-drafts.ts';
import { t } from '../../text/en.ts';
import { Button } from '../../ui/button.tsx';
import { draftKeyOf } from '../thread/draft-key.ts';
import { type ChatMessage, textOf } from '../thread/message-types.ts';
import type { Thread } from '../thread/thread-store.ts';

/** Takes words that were not sent out of the thread and puts them back into the composer. */
export function editUnsent(thread: Thread, message: ChatMessage): void {
  thread.discard(message.key);
  returnWords(draftKeyOf(thread.conversationId), textOf(message));
}

interface NotSentProps {
  message: ChatMessage;
  thread: Thread;
  /** Whether the words can go back to the composer: that of a guest keeps its words elsewhere. */
  canEdit?: boolean;
}

/** Below words that did not reach the server: send them again, change them, or take them away. */
export function NotSent({ message, thread, canEdit = false }: NotSentProps) {
  const files = message.parts.flatMap(({ type, url, filename, mediaType }) =>
    type === 'file' && typeof url === 'string'
      ? [{ id: url.replace('store://', ''), name: String(filename), type: String(mediaType) }]
      : [],
  );
  const again = () => {
    thread.discard(message.key);
    const { sendKey } = message;
    void thread
      .send(textOf(message), files.length ? { files } : {}, sendKey ? { key: sendKey, again: true } : {})
      .catch(() => {});
  };
  return (
    <div
      role="alert"
      className="mt-1.5 flex flex-wrap items-center justify-end gap-2 text-dense text-bad print:[&_button]:hidden"
    >
      <TriangleAlert size={14} aria-hidden />
      <span>{t.chat.thread.notSent(message.failure || t.chat.thread.noAnswer)}</span>
      <Button size="small" look="ghost" icon={<RotateCw size={13} aria-hidden />} onClick={again}>
        {t.chat.message.sendAgain}
      </Button>
      {canEdit && files.length === 0 && (
        <Button size="small" look="ghost" onClick={() => editUnsent(thread, message)}>
          {t.chat.message.edit}
        </Button>
      )}
      <Button size="small" look="ghost" onClick={() => thread.discard(message.key)}>
        {t.chat.message.discard}
      </Button>
    </div>
  );
}
