import { useQuery } from '@tanstack/react-query';
import { Navigate, useNavigate, useSearch } from '@tanstack/react-router';
import { beginSession, sessionQuery, signInOptionsQuery, WorkspaceContext } from '../api/session.ts';
import { t } from '../text/en.ts';
import { EmptyState, ErrorState, Loading } from '../ui/states.tsx';
import { AgentStep } from './agent-step.tsx';
import { ClaimStep } from './claim-step.tsx';
import { ModelStep } from './model-step.tsx';
import type { Step } from './steps.ts';
import { TryStep } from './try-step.tsx';

/** The first start: claim the server, then four steps of which each can be left out. */
export function WelcomePage() {
  const { step = 'model', w } = useSearch({ from: '/welcome' });
  const session = useQuery(sessionQuery);
  const options = useQuery(signInOptionsQuery);
  const navigate = useNavigate();
  const go = (next: Step) => void navigate({ to: '/welcome', search: { step: next, ...(w && { w }) } });
  const failed = session.error ?? options.error;
  if (failed)
    return <ErrorState error={failed} onRetry={() => void Promise.all([session.refetch(), options.refetch()])} />;
  if (session.data === undefined || !options.data) return <Loading />;
  if (!session.data) {
    if (options.data.claimed) return <Navigate to="/sign-in" search={{}} replace />;
    return (
      <ClaimStep
        onClaimed={(made) => {
          beginSession(made);
          void options.refetch();
          go('model');
        }}
      />
    );
  }
  const { workspaces } = session.data;
  const workspace = workspaces.find(({ id }) => id === w) ?? workspaces[0];
  if (!workspace) return <EmptyState title={t.shell.noWorkspace.title} help={t.shell.noWorkspace.help} />;
  const Current = step === 'agent' ? AgentStep : step === 'try' ? TryStep : ModelStep;
  return (
    <WorkspaceContext value={workspace}>
      <Current key={step} go={go} />
    </WorkspaceContext>
  );
}
