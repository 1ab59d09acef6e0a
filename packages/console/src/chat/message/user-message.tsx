import { Pencil } from 'lucide-react';
import { memo, Suspense, useLayoutEffect, useRef } from 'react';
import { lazyPart } from '../../lib/lazy-part.ts';
import { t } from '../../text/en.ts';
import { cx } from '../../ui/cx.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { partRegistry } from '../parts/registry.ts';
import { type ChatMessage, textOf } from '../thread/message-types.ts';
import { type Branches, BranchSwitch } from './branch-switch.tsx';
import { beginEditing, useEditing } from './editing.ts';
import { CopyButton } from './message-actions.tsx';
import { useThreadPeople } from './message-context.ts';
import { NotSent } from './not-sent.tsx';
import { UnknownPart } from './unknown-part.tsx';

const EditMessage = lazyPart(() => import('./edit-message.tsx').then(({ EditMessage }) => ({ default: EditMessage })));

/** The words of a person, at the right. */
export const UserMessage = memo(function UserMessage({
  message,
  branches,
}: {
  message: ChatMessage;
  branches: Branches | undefined;
}) {
  const { thread, maySend } = useThreadPeople();
  const editing = useEditing((state) => state.key === message.key);
  const left = useEditing((state) => state.left === message.key);
  const editButton = useRef<HTMLButtonElement>(null);
  // The button that began it was out of the page meanwhile.
  useLayoutEffect(() => {
    if (!left || editing) return;
    if (document.activeElement === document.body) editButton.current?.focus();
    useEditing.setState({ left: undefined });
  }, [left, editing]);
  const others = message.parts.filter(({ type }) => type !== 'text');
  if (editing)
    return (
      <Suspense fallback={null}>
        <EditMessage message={message} />
      </Suspense>
    );
  return (
    <article aria-label={t.chat.thread.you} className="group/message flex flex-col items-end">
      <div
        dir="auto"
        className={cx(
          'max-w-[86%] rounded-4 rounded-br-1 bg-sunken px-3.5 py-2.5 text-reading wrap-anywhere whitespace-pre-wrap phone:max-w-125 max-phone:text-[16px]',
          message.state === 'unsent' && 'border border-dashed border-bad bg-surface',
        )}
      >
        {textOf(message)}
      </div>
      {others.map((part, index) => {
        const Part = partRegistry[part.type] ?? UnknownPart;
        // biome-ignore lint/suspicious/noArrayIndexKey: what was attached has no other name.
        return <Part key={index} part={part} message={message} thread={thread} />;
      })}
      {message.state === 'unsent' && <NotSent message={message} thread={thread} canEdit />}
      {message.id && (
        <div className={cx('mt-1 flex items-center gap-0.5 print:hidden', !branches && 'pointer-fine:-mb-6')}>
          {/* biome-ignore lint/a11y/useSemanticElements: these buttons are no form. */}
          <div
            role="group"
            aria-label={t.chat.message.actions}
            className="flex items-center gap-0.5 transition-opacity duration-120 group-focus-within/message:opacity-100 group-hover/message:opacity-100 pointer-fine:opacity-0"
          >
            <CopyButton text={() => textOf(message)} />
            {maySend && (
              <IconButton
                ref={editButton}
                label={t.chat.message.edit}
                icon={<Pencil size={15} />}
                onClick={() => beginEditing(message.key)}
              />
            )}
          </div>
          {branches && <BranchSwitch {...branches} />}
        </div>
      )}
    </article>
  );
});
