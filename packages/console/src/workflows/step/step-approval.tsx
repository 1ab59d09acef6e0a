import type { WorkflowApproval } from '@atrium/contract/approvals/workflow-schema.ts';
import { useQuery } from '@tanstack/react-query';
import { useClient, useWorkspace } from '../../api/session.ts';
import { RequestCard } from '../../inbox/request-card.tsx';
import type { Request } from '../../inbox/requests.ts';
import { useRunActions } from '../run/use-run-actions.ts';

const statusOf = ({ decision, expires_at }: WorkflowApproval): Request['status'] => {
  if (decision) return decision === 'approve' ? 'approved' : 'rejected';
  return expires_at !== null && Date.parse(expires_at) <= Date.now() ? 'expired' : 'pending';
};

/** An approval of a step as the inbox has it. */
const toRequest = (approval: WorkflowApproval): Request => ({
  ...{ kind: 'workflow', type: 'approval', status: statusOf(approval) },
  ...{ conversation_id: null, conversation_name: null, agent_id: null, agent_name: null },
  ...{ workflow_id: null, workflow_name: null, node_name: null, lock: null, asked_by_actor: null },
  ...{ tool: null, arguments: null, recipient: null, recipients: [], beneath: [], reason: null, has_read: null },
  ...approval,
});

/** The question of a step, answered here as in the inbox; once it is answered a line with who and when. */
export function StepApproval({ runId, stepId, status }: { runId: string; stepId: string; status: string }) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const { refresh } = useRunActions();
  const { data } = useQuery({
    queryKey: [w, 'runs', 'approvals', runId, status],
    queryFn: () => client.approvals.listOfRun(runId),
    enabled: status !== 'remaining' && status !== 'skipped',
  });
  const asked = data?.filter(({ node_id }) => node_id === stepId) ?? [];
  const open = asked.find(({ decision, decided_at }) => decision === null && decided_at === null);
  const shown = open && status === 'waiting' ? open : asked.filter(({ decision }) => decision !== null).at(-1);
  return shown ? <RequestCard request={toRequest(shown)} onAnswered={() => void refresh()} /> : null;
}
