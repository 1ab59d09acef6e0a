import { Play, RotateCw, Square, TriangleAlert } from 'lucide-react';
import { t } from '../../text/en.ts';
import { Button } from '../../ui/button.tsx';
import { sayFailure } from '../../ui/toast.tsx';
import type { ChatMessage } from '../thread/message-types.ts';
import { OtherModels } from './message-actions.tsx';
import { useThreadPeople } from './message-context.ts';

const errorOf = ({ parts, failure, failureCode }: ChatMessage) => {
  const data = parts.find(({ type }) => type === 'data-error')?.['data'] as
    | { code?: string; message?: string }
    | undefined;
  return { code: data?.code ?? failureCode ?? '', reason: data?.message ?? failure ?? '' };
};

const hasWords = ({ parts }: ChatMessage) => parts.some(({ type, text }) => type === 'text' && text);

function titleOf(code: string, broken: boolean): string {
  const titles: Readonly<Record<string, string>> = t.chat.failures;
  return titles[code] ?? (broken ? t.chat.thread.brokeOff : t.chat.thread.failed);
}

/** Below what came of an answer that failed: what went wrong, and the ways on. The cheapest that loses nothing is first. */
function FailedAnswer({ message, last }: { message: ChatMessage; last: boolean }) {
  const { thread, maySend, models } = useThreadPeople();
  const { code, reason } = errorOf(message);
  const broken = hasWords(message);
  const runId = message.metadata?.run_id;
  const again = () => void thread.regenerate(message.id).catch((error) => sayFailure(error));
  const goOn = () => void thread.send(t.chat.thread.goOnMessage).catch(() => {});
  return (
    <div role="alert" className="mt-3">
      <div className="flex items-start gap-2.5 rounded-3 border border-bad-line bg-bad-soft px-3.5 py-3">
        <TriangleAlert size={16} aria-hidden className="mt-0.5 flex-none text-bad" />
        <div className="min-w-0 flex-1">
          <p className="font-medium">{titleOf(code, broken)}</p>
          <p className="text-dense wrap-anywhere text-text-2">
            {reason} {broken ? t.chat.thread.brokeOffHelp : t.chat.thread.failedHelp}
          </p>
          {(runId || (last && maySend && message.id)) && (
            <div className="mt-2.5 flex flex-wrap items-center gap-2 print:hidden">
              {last && maySend && message.id && (
                <span className="contents max-phone:[&_button]:min-h-11 max-phone:[&_button]:flex-1">
                  {broken && (
                    <Button size="small" look="primary" icon={<Play size={13} aria-hidden />} onClick={goOn}>
                      {t.chat.thread.goOnFromHere}
                    </Button>
                  )}
                  <Button size="small" icon={<RotateCw size={13} aria-hidden />} onClick={again}>
                    {t.chat.message.again}
                  </Button>
                  {models && <OtherModels message={message} look="button" />}
                </span>
              )}
              {runId && (
                <span className="ml-auto font-mono text-caption text-text-2 max-phone:w-full">
                  {t.chat.thread.request(runId.slice(0, 8))}
                </span>
              )}
            </div>
          )}
        </div>
      </div>
    </div>
  );
}

/** How an answer ended, where it did not end by itself, and what can be done then. */
export function MessageEnding({ message, last }: { message: ChatMessage; last: boolean }) {
  const { thread, maySend } = useThreadPeople();
  if (message.parts.some(({ broken }) => broken))
    return (
      <p role="status" className="mt-2 text-dense text-text-2">
        {t.chat.thread.askedAgain}
      </p>
    );
  if (message.state === 'failed' || message.parts.some(({ type }) => type === 'data-error'))
    return <FailedAnswer message={message} last={last} />;
  if (message.state === 'stopped')
    return (
      <div className="mt-3 flex flex-wrap items-center gap-2 text-dense text-text-2">
        <Square size={14} aria-hidden />
        {t.chat.thread.stopped}
        {last && maySend && message.id && (
          <Button size="small" onClick={() => void thread.regenerate(message.id).catch((error) => sayFailure(error))}>
            {t.chat.message.again}
          </Button>
        )}
        {last && maySend && (
          <Button size="small" onClick={() => void thread.send(t.chat.thread.goOnMessage).catch(() => {})}>
            {t.chat.thread.goOn}
          </Button>
        )}
      </div>
    );
  if (message.metadata?.finish_reason === 'length')
    return <p className="mt-2 text-dense text-text-2">{t.chat.thread.cut}</p>;
  return null;
}
