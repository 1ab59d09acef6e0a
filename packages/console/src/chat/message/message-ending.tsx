import { CircleAlert, Square } from 'lucide-react';
import { t } from '../../text/en.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { sayFailure } from '../../ui/toast.tsx';
import type { ChatMessage } from '../thread/message-types.ts';
import { useThreadPeople } from './message-context.ts';

/** The last try of an answer that has nothing to show: how it ended is not stored with the message. */
function failedTryOf({ parts, state, metadata }: ChatMessage) {
  const last = state === undefined && parts.length === 0 ? metadata?.attempts?.at(-1) : undefined;
  return last?.status === 'failed' ? last : undefined;
}

const failureOf = (message: ChatMessage) => {
  const data = message.parts.find(({ type }) => type === 'data-error')?.['data'] as { message?: string } | undefined;
  return data?.message ?? message.failure ?? failedTryOf(message)?.reason;
};

/** How an answer ended, where it did not end by itself, and what can be done then. */
export function MessageEnding({ message, last }: { message: ChatMessage; last: boolean }) {
  const { thread, maySend } = useThreadPeople();
  const failure = failureOf(message);
  const failed =
    message.state === 'failed' ||
    message.parts.some(({ type }) => type === 'data-error') ||
    failedTryOf(message) !== undefined;
  const again = () => void thread.regenerate(message.id).catch((error) => sayFailure(error));
  const goOn = () => void thread.send(t.chat.thread.goOnMessage).catch(() => {});
  const actions = last && maySend && message.id && (
    <Button size="small" onClick={again}>
      {t.chat.message.again}
    </Button>
  );
  if (failed)
    return (
      <div className="mt-3">
        <Banner tone="bad" icon={<CircleAlert size={16} />} title={failure || t.chat.thread.failed} action={actions}>
          {t.chat.thread.failedHelp}
        </Banner>
      </div>
    );
  if (message.state === 'stopped')
    return (
      <div className="mt-3 flex flex-wrap items-center gap-2 text-dense text-text-2">
        <Square size={14} aria-hidden />
        {t.chat.thread.stopped}
        {actions}
        {last && maySend && (
          <Button size="small" onClick={goOn}>
            {t.chat.thread.goOn}
          </Button>
        )}
      </div>
    );
  if (message.metadata?.finish_reason === 'length')
    return <p className="mt-2 text-dense text-text-2">{t.chat.thread.cut}</p>;
  return null;
}
