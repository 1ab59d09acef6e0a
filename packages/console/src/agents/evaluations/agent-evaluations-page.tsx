import { SetsPart } from '../../evaluations/list/sets-part.tsx';
import { useDraft } from '../editor/editor-context.ts';

/** The sets that versions of this agent are tried with. */
export function AgentEvaluationsPage() {
  const { agent } = useDraft();
  return (
    <div className="min-w-0 flex-1 overflow-y-auto">
      <SetsPart agentId={agent.id} search="" ofOneAgent />
    </div>
  );
}
