import type { ConversationSlotProps } from '../slots.ts';
import { AboutChat } from './about-chat.tsx';
import { FileList } from './file-list.tsx';
import { SourceList } from './source-list.tsx';
import { TodoList } from './todo-list.tsx';

/** Beside a chat: what the agent plans, what it used, and what it cost. */
export function DetailsPanel({ conversation, thread }: ConversationSlotProps) {
  return (
    <div className="flex flex-col divide-y divide-line">
      {conversation.todos.length > 0 && <TodoList todos={conversation.todos} />}
      <SourceList thread={thread} />
      <FileList conversation={conversation} />
      <AboutChat conversation={conversation} thread={thread} />
    </div>
  );
}
