import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight, FlaskConical, GitFork, MessageSquare, Workflow } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useMay, useWorkspace } from '../../api/session.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { useShortcuts } from '../../lib/shortcuts.ts';
import { traceTexts as words } from '../../text/traces.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import type { Run, Trace } from '../runs.ts';
import { useNeighbours } from './use-trace.ts';

const AddCase = lazyPart(() =>
  import('../../evaluations/add-case/add-case.tsx').then(({ AddCase }) => ({ default: AddCase })),
);
const linkLook =
  'inline-flex h-8 items-center gap-1.5 rounded-2 border border-line-2 bg-surface px-3 text-label font-medium text-text hover:bg-sunken pointer-coarse:min-h-11';

/** The runs before and after, the way back to the answer, and what can be made of the run. */
export function TraceActions({ run, trace }: { run: Run; trace: Trace | undefined }) {
  const { id: w } = useWorkspace();
  const { step: _, part: __, view: ___, ...filters } = useSearch({ from: '/signed-in/w/$w/runs/$id' });
  const navigate = useNavigate();
  const may = useMay();
  const [adding, setAdding] = useState(false);
  const { older, newer } = useNeighbours(run, filters);
  const go = (id: string | undefined) =>
    id && void navigate({ to: '/w/$w/runs/$id', params: { w, id }, search: filters });
  useShortcuts([
    { keys: '[', label: words.previous, onPress: () => go(newer) },
    { keys: ']', label: words.next, onPress: () => go(older) },
  ]);
  const refused =
    run.kind !== 'conversation' ? words.onlyAnswers : !(may('agents_edit') && may('agents_run')) && words.needsEvaluate;
  return (
    <>
      <span className="flex">
        <IconButton
          label={words.previous}
          keys="["
          icon={<ChevronLeft size={16} />}
          disabled={!newer}
          onClick={() => go(newer)}
        />
        <IconButton
          label={words.next}
          keys="]"
          icon={<ChevronRight size={16} />}
          disabled={!older}
          onClick={() => go(older)}
        />
      </span>
      <Button icon={<FlaskConical size={14} aria-hidden />} refused={refused} onClick={() => setAdding(true)}>
        {words.evaluate}
      </Button>
      {trace?.parent_run_id && (
        <Link to="/w/$w/runs/$id" params={{ w, id: trace.parent_run_id }} className={linkLook}>
          <GitFork size={14} aria-hidden />
          {words.openParent}
        </Link>
      )}
      {run.kind === 'conversation' ? (
        <Link
          to="/w/$w/chat/$id"
          params={{ w, id: run.conversation_id }}
          search={{ message: run.message_id }}
          className={linkLook}
        >
          <MessageSquare size={14} aria-hidden />
          {words.openChat}
        </Link>
      ) : (
        <Link to={`/w/${w}/workflows/${run.workflow_id}?run=${run.id}` as string} className={linkLook}>
          <Workflow size={14} aria-hidden />
          {words.openWorkflow}
        </Link>
      )}
      <Suspense>
        {adding && run.agent && <AddCase agentId={run.agent.id} runId={run.id} onClose={() => setAdding(false)} />}
      </Suspense>
    </>
  );
}
