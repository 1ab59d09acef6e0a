import { Circle, CircleCheck, CircleDot } from 'lucide-react';
import { t } from '../../text/en.ts';
import { cx } from '../../ui/cx.ts';
import type { ConversationRecord } from '../conversation/use-conversation.ts';
import { PanelSection } from './panel-section.tsx';

type Todo = ConversationRecord['todos'][number];
const icons = { pending: Circle, in_progress: CircleDot, completed: CircleCheck } as const;

/** What the agent has set out to do, and how far it is. */
export function TodoList({ todos }: { todos: readonly Todo[] }) {
  const done = todos.filter(({ status }) => status === 'completed').length;
  return (
    <PanelSection title={t.chatParts.details.todos} beside={t.chatParts.details.todosDone(done, todos.length)}>
      <div aria-hidden className="mb-2.5 h-1.25 overflow-hidden rounded-full bg-sunken">
        <div className="h-full bg-accent" style={{ width: `${(done / todos.length) * 100}%` }} />
      </div>
      <ul className="flex flex-col gap-2">
        {todos.map(({ id, text, status, parent_id }) => {
          const Icon = icons[status];
          return (
            <li key={id} className={cx('flex items-start gap-2 text-label', parent_id && 'pl-5')}>
              <Icon
                size={15}
                aria-hidden
                className={cx('mt-0.5 flex-none', status === 'in_progress' ? 'text-warn' : 'text-text-3')}
              />
              <span className={cx('min-w-0 wrap-anywhere', status === 'completed' && 'text-text-3 line-through')}>
                {text}
              </span>
              <span className="sr-only">{t.chatParts.details.todoStates[status]}</span>
            </li>
          );
        })}
      </ul>
    </PanelSection>
  );
}
