import { createPortal } from 'react-dom';
import { t } from '../../text/en.ts';
import { AgentMessage } from '../message/agent-message.tsx';
import { useThreadPeople } from '../message/message-context.ts';
import { SummaryNote } from '../message/summary-note.tsx';
import { UserMessage } from '../message/user-message.tsx';
import type { Thread } from './thread-store.ts';
import { usePrinting } from './use-printing.ts';
import { useThread } from './use-thread.ts';

/** The whole conversation on paper, without the page around it: the thread itself draws only what is in view. */
export function PrintedThread({ thread, name }: { thread: Thread; name: string }) {
  const printing = usePrinting();
  return printing ? createPortal(<Paper thread={thread} name={name} />, document.body) : null;
}

function Paper({ thread, name }: { thread: Thread; name: string }) {
  const { agentName } = useThreadPeople();
  const messages = useThread(thread, (snapshot) => snapshot.messages);
  const hasOlder = useThread(thread, (snapshot) => snapshot.hasOlder);
  return (
    <div data-printed>
      <h1 className="text-heading">{name}</h1>
      <p className="mb-6 text-dense text-text-2">{t.chat.print.from(agentName, new Date())}</p>
      {hasOlder && <p className="mb-6 text-dense text-text-2">{t.chat.print.older}</p>}
      <div className="flex flex-col gap-6">
        {messages.map((message) =>
          message.role === 'assistant' ? (
            <AgentMessage key={message.key} message={message} last={false} printed />
          ) : message.role === 'system' ? (
            <SummaryNote key={message.key} message={message} />
          ) : (
            <UserMessage key={message.key} message={message} branches={undefined} />
          ),
        )}
      </div>
    </div>
  );
}
