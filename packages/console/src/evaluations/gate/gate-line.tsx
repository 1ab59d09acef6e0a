import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ShieldCheck } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useClient, useMay, useWorkspace } from '../../api/session.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { sayPercent } from '../../lib/numbers.ts';
import { evaluationTexts } from '../../text/evaluations.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { useRefreshEvaluations } from '../evaluations.ts';

const GateDialog = lazyPart(() => import('./gate-dialog.tsx').then(({ GateDialog }) => ({ default: GateDialog })));
const words = evaluationTexts.gate;

/** Whether versions of the agent have to pass this set before they are published. */
export function GateLine({ agentId, setId }: { agentId: string; setId: string }) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const may = useMay();
  const refresh = useRefreshEvaluations();
  const [asking, setAsking] = useState<'set' | 'remove'>();
  const { data } = useQuery({
    queryKey: [w, 'evaluations', 'gate', agentId],
    queryFn: () => client.publishGates.get(agentId),
    enabled: may('agents_run'),
  });
  if (!data) return null;
  const { gate } = data;
  const isGate = gate?.evaluation_id === setId;
  const refused = !may('workspace_admin') && evaluationTexts.needsAdmin;
  const remove = async () => {
    await client.publishGates.remove(agentId);
    await refresh();
  };
  return (
    <section
      aria-label={words.label}
      className="flex flex-wrap items-center gap-2.5 rounded-3 border border-line bg-bg px-3.5 py-2.5 text-dense"
    >
      <ShieldCheck size={16} aria-hidden className={isGate ? 'flex-none text-ok' : 'flex-none text-text-3'} />
      <p className="min-w-0 flex-1">
        {isGate ? words.is(sayPercent(gate.threshold)) : gate ? words.other : words.none}{' '}
        {gate && !isGate && (
          <Link to="/w/$w/evaluations/$id" params={{ w, id: gate.evaluation_id }}>
            {words.openOther}
          </Link>
        )}
      </p>
      <Button size="small" refused={refused} onClick={() => setAsking('set')}>
        {isGate ? words.change : words.set}
      </Button>
      {isGate && (
        <Button size="small" look="danger" refused={refused} onClick={() => setAsking('remove')}>
          {words.remove}
        </Button>
      )}
      <Suspense>
        {asking === 'set' && (
          <GateDialog
            agentId={agentId}
            setId={setId}
            threshold={isGate ? gate.threshold : 1}
            onClose={() => setAsking(undefined)}
          />
        )}
      </Suspense>
      <Confirm
        open={asking === 'remove'}
        onClose={() => setAsking(undefined)}
        title={words.removeTitle}
        help={words.removeHelp}
        action={words.removeSubmit}
        onConfirm={remove}
      />
    </section>
  );
}
