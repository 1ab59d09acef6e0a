import { useEffect, useState } from 'react';
import { t } from '../../text/en.ts';
import { textOf } from './message-types.ts';
import type { Thread } from './thread-store.ts';
import { useThread } from './use-thread.ts';

/** Says for screen readers that an answer is written, then the whole answer, or that a person is needed. */
export function LiveRegion({ thread, agentName }: { thread: Thread; agentName: string }) {
  const answering = useThread(thread, (snapshot) => snapshot.answering);
  const waiting = useThread(thread, (snapshot) => snapshot.waiting);
  const [began, setBegan] = useState(false);
  useEffect(() => {
    if (answering) setBegan(true);
  }, [answering]);
  const last = thread.snapshot().messages.at(-1);
  const asked = last?.parts.some(({ type, state }) => state === 'approval-requested' || type === 'data-approval');
  const text = answering
    ? t.chat.thread.writing(agentName)
    : waiting
      ? asked
        ? t.chat.thread.waitsApproval
        : t.chat.thread.waitsAnswer
      : began && last?.role === 'assistant'
        ? t.chat.thread.says(agentName, textOf(last))
        : '';
  return (
    <div aria-live="polite" className="sr-only">
      {text}
    </div>
  );
}
