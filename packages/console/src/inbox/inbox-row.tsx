import { CircleHelp, Hand, LockOpen, Workflow } from 'lucide-react';
import { sayExactTime, sayTime } from '../lib/time.ts';
import { t } from '../text/en.ts';
import { cx } from '../ui/cx.ts';
import { askerOf, causerOf, outcomeOf, type Request, titleOf } from './requests.ts';
import { useWaitingLine } from './waiting-for.tsx';

function iconOf({ type, kind }: Request) {
  if (type === 'question') return <CircleHelp size={16} className="text-info" />;
  if (type === 'unlock') return <LockOpen size={16} className="text-warn" />;
  return kind === 'workflow' ? <Workflow size={16} className="text-warn" /> : <Hand size={16} className="text-warn" />;
}

export function InboxRow({
  request,
  isChosen,
  onChoose,
}: {
  request: Request;
  isChosen: boolean;
  onChoose: () => void;
}) {
  const waiting = useWaitingLine(request);
  const chat = request.kind === 'conversation' ? t.inbox.chat(request.conversation_name ?? t.inbox.unnamed) : '';
  const causer = request.type === 'approval' ? causerOf(request) : undefined;
  const asking = causer && request.agent_name ? request.agent_name : askerOf(request);
  return (
    <button
      type="button"
      aria-current={isChosen || undefined}
      onClick={onChoose}
      className={cx(
        'flex w-full items-start gap-3 rounded-3 p-3 text-left hover:bg-sunken',
        isChosen && 'narrow:bg-selected',
      )}
    >
      <span aria-hidden className="grid size-8 flex-none place-items-center rounded-2 border border-line bg-surface">
        {iconOf(request)}
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline gap-2">
          <span className="min-w-0 flex-1 truncate font-medium">{titleOf(request)}</span>
          <time
            dateTime={request.created_at}
            title={sayExactTime(request.created_at)}
            className="num flex-none text-caption text-text-3"
          >
            {sayTime(request.created_at)}
          </time>
        </span>
        <span className="block truncate text-dense text-text-2">
          {request.status !== 'pending' ? outcomeOf(request) : causer ? t.inbox.forWhom(asking, causer) : asking}
        </span>
        {chat && <span className="block truncate text-caption text-text-3">{chat}</span>}
        {waiting && (
          <span className={cx('block truncate text-caption', request.may_decide ? 'text-warn' : 'text-text-3')}>
            {waiting}
          </span>
        )}
      </span>
    </button>
  );
}
