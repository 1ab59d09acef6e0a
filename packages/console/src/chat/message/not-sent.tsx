import { t } from '../../text/en.ts';
import { Button } from '../../ui/button.tsx';
import { type ChatMessage, textOf } from '../thread/message-types.ts';
import type { Thread } from '../thread/thread-store.ts';

/** Below words that did not reach the server: send them again, or take them away. */
export function NotSent({ message, thread }: { message: ChatMessage; thread: Thread }) {
  const again = () => {
    thread.discard(message.key);
    const files = message.parts.flatMap(({ type, url, filename, mediaType }) =>
      type === 'file' && typeof url === 'string'
        ? [{ id: url.replace('store://', ''), name: String(filename), type: String(mediaType) }]
        : [],
    );
    void thread.send(textOf(message), files.length ? { files } : {}).catch(() => {});
  };
  return (
    <div role="alert" className="mt-1.5 flex flex-wrap items-center justify-end gap-2 text-dense text-bad">
      {t.chat.thread.unsent}
      {message.failure && <span className="text-text-2">{message.failure}</span>}
      <Button size="small" onClick={again}>
        {t.chat.message.tryAgain}
      </Button>
      <Button size="small" look="ghost" onClick={() => thread.discard(message.key)}>
        {t.chat.message.discard}
      </Button>
    </div>
  );
}
