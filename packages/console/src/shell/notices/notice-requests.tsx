import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useClient, useSession, useWorkspace, WorkspaceContext } from '../../api/session.ts';
import { RequestCard } from '../../inbox/request-card.tsx';
import { t } from '../../text/en.ts';
import { ErrorState, Loading } from '../../ui/states.tsx';
import type { NoticeBundle } from './bundle-notices.ts';

const words = t.shell.notices;

interface RequestsProps {
  onLeave: () => void;
  onAnswered: () => void;
}

/** The requests that a notice tells of, answered in their own workspace, whichever is open. */
export function NoticeRequests({ bundle, ...rest }: RequestsProps & { bundle: NoticeBundle }) {
  const { workspaces } = useSession();
  const workspace = workspaces.find(({ id }) => id === bundle.newest.group_id);
  if (!workspace) return <p className="text-dense text-text-2">{words.requestGone}</p>;
  return (
    <WorkspaceContext value={workspace}>
      <Requests ids={bundle.targets} {...rest} />
    </WorkspaceContext>
  );
}

function Requests({ ids, onLeave, onAnswered }: RequestsProps & { ids: readonly string[] }) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const { data, error, refetch } = useQuery({
    queryKey: [w, 'approvals', 'notices'],
    queryFn: () => client.approvals.list({ status: 'all', size: 100 }),
  });
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} className="m-0" />;
  if (!data) return <Loading rows={3} onRetry={() => void refetch()} />;
  const requests = data.items.filter(({ id }) => ids.includes(id));
  return (
    <>
      {requests.map((request) => (
        <RequestCard key={request.id} request={request} onAnswered={onAnswered} />
      ))}
      {requests.length === 0 && <p className="text-dense text-text-2">{words.requestGone}</p>}
      <Link to="/w/$w/inbox" params={{ w }} search={{}} onClick={onLeave} className="self-start text-dense font-medium">
        {words.toInbox}
      </Link>
    </>
  );
}
