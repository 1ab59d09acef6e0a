import { Link } from '@tanstack/react-router';
import { Activity, Check, Copy, RotateCw } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../text/en.ts';
import { cx } from '../../ui/cx.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { sayFailure } from '../../ui/toast.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { later } from '../parts/later.tsx';
import { chatSlots } from '../parts/slots.ts';
import { type ChatMessage, textOf } from '../thread/message-types.ts';
import { useThreadPeople } from './message-context.ts';

export const OtherModels = later(() => import('./other-models.tsx').then(({ OtherModels }) => OtherModels));

/** Copies a text and says so for a moment. */
export function CopyButton({ text }: { text: () => string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      setCopied(true);
      setTimeout(() => setCopied(false), 2000);
    } catch (error) {
      sayFailure(error);
    }
  };
  return (
    <IconButton
      label={copied ? t.chat.message.copied : t.chat.message.copy}
      icon={copied ? <Check size={15} /> : <Copy size={15} />}
      onClick={copy}
    />
  );
}

/** What can be done with an answer. It shows on hover and focus, and always below the last one and on touch. */
export function MessageActions({ message, last }: { message: ChatMessage; last: boolean }) {
  const { thread, workspaceId, maySend, models } = useThreadPeople();
  const { MessageActions: More } = chatSlots;
  const runId = message.metadata?.run_id;
  return (
    // biome-ignore lint/a11y/useSemanticElements: these buttons are no form.
    <div
      role="group"
      aria-label={t.chat.message.actions}
      className={cx(
        'mt-1 -ml-1.5 flex items-center gap-0.5 transition-opacity duration-120',
        !last &&
          'pointer-fine:-mb-6 pointer-fine:opacity-0 group-focus-within/message:opacity-100 group-hover/message:opacity-100',
      )}
    >
      <CopyButton text={() => textOf(message)} />
      {More && <More message={message} thread={thread} />}
      {maySend && (
        <IconButton
          label={t.chat.message.again}
          icon={<RotateCw size={15} />}
          onClick={() => void thread.regenerate(message.id).catch((error) => sayFailure(error))}
        />
      )}
      {maySend && models && <OtherModels message={message} look="icon" />}
      {runId && (
        <Tooltip text={t.chat.message.trace}>
          <Link
            to={`/w/${workspaceId}/runs/${runId}` as string}
            aria-label={t.chat.message.trace}
            className="inline-grid size-7.5 place-items-center rounded-2 text-text-2 hover:bg-sunken hover:text-text pointer-coarse:size-11"
          >
            <Activity size={15} aria-hidden />
          </Link>
        </Tooltip>
      )}
    </div>
  );
}
