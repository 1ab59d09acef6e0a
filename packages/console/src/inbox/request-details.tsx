import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { useWorkspace } from '../api/session.ts';
import { sayTime } from '../lib/time.ts';
import { t } from '../text/en.ts';
import { Avatar } from '../ui/avatar.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { RequestCard } from './request-card.tsx';
import { askerOf, type Request, titleOf } from './requests.ts';

interface DetailsProps {
  request: Request;
  onAnswered?: (() => void) | undefined;
  onBack: () => void;
}

export function RequestDetails({ request, onAnswered, onBack }: DetailsProps) {
  const name = request.agent_name ?? request.workflow_name ?? t.inbox.anAgent;
  return (
    <div className="mx-auto flex max-w-180 flex-col gap-4 p-6 max-narrow:p-3">
      <header className="flex items-center gap-3">
        <IconButton label={t.ui.back} icon={<ArrowLeft size={16} />} onClick={onBack} className="narrow:hidden" />
        <Avatar name={name} kind="agent" size={36} />
        <div className="min-w-0 flex-1">
          <h2 className="truncate text-section">{titleOf(request)}</h2>
          <p className="truncate text-dense text-text-2">
            {askerOf(request)}, {t.inbox.asked(sayTime(request.created_at))}
            {request.expires_at && request.status === 'pending' && `, ${t.inbox.expires(sayTime(request.expires_at))}`}
          </p>
        </div>
        <WhereLink request={request} />
      </header>
      <RequestCard untitled request={request} {...(onAnswered && { onAnswered })} />
      <p aria-hidden className="flex items-center gap-1 self-end text-caption text-text-3 pointer-coarse:hidden">
        <kbd>J</kbd> <kbd>K</kbd> {t.inbox.next}
      </p>
    </div>
  );
}

/** Leads to where the request comes from. */
function WhereLink({ request }: { request: Request }) {
  const { id } = useWorkspace();
  const [path, label] = request.conversation_id
    ? [`chat/${request.conversation_id}`, t.inbox.openChat]
    : request.run_id
      ? [`runs/${request.run_id}`, t.inbox.openRun]
      : [`agents/${request.agent_id}/build`, t.inbox.openAgent];
  return (
    <Link
      to={`/w/${id}/${path}` as string}
      className="flex h-8 flex-none items-center rounded-2 border border-line-2 px-3 text-label font-medium text-text hover:bg-sunken pointer-coarse:h-11"
    >
      {label}
    </Link>
  );
}
