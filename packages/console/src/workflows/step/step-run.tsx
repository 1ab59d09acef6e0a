import { useQueryClient } from '@tanstack/react-query';
import { Pin, RotateCcw } from 'lucide-react';
import { useStore } from 'zustand';
import { useClient, useWorkspace } from '../../api/session.ts';
import { sayDuration } from '../../lib/numbers.ts';
import { HiddenNote } from '../../runs/details/hidden-note.tsx';
import { flowTexts } from '../../text/workflow-editor.ts';
import { workflowTexts } from '../../text/workflows.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Chip, type Tone } from '../../ui/chip.tsx';
import { ErrorState, Loading } from '../../ui/states.tsx';
import { sayFailure, sayToast } from '../../ui/toast.tsx';
import { useEditor, useFlow } from '../editor/editor-context.ts';
import { nameOf } from '../graph/catalogue.ts';
import type { Step } from '../graph/graph-types.ts';
import { useRunActions } from '../run/use-run-actions.ts';
import { StepApproval } from './step-approval.tsx';
import { useStepTrace } from './use-run-sample.ts';
import { ValueRows, ValueText } from './value-view.tsx';

const words = flowTexts.thisRun;
const tones: Readonly<Record<string, Tone>> = {
  ...{ completed: 'ok', running: 'accent', waiting: 'warn', failed: 'bad' },
};

/** What a step did in the run that is shown: what came in, what it gave, why it failed. */
export function StepRunView({ step }: { step: Step }) {
  const { runStore, catalogue, mayEdit, mayRun } = useEditor();
  const client = useClient();
  const { id: w } = useWorkspace();
  const queries = useQueryClient();
  const actions = useRunActions();
  const workflowId = useFlow((state) => state.workflow.id);
  const run = useStore(runStore, (state) => state.run);
  const state = useStore(runStore, (all) => all.steps[step.id]);
  const { entries, isPending, isError, error, refetch } = useStepTrace(step.id);
  if (!run) return <p className="text-dense text-text-2">{words.none}</p>;
  const status = state?.status ?? 'remaining';
  const last = entries.at(-1);
  const warnings = run.progress_details?.warnings?.[step.id] ?? [];
  const keep = async () => {
    try {
      await client.stepSamples.save(workflowId, { node_id: step.id, run_id: run.id });
      await queries.invalidateQueries({ queryKey: [w, 'workflows', 'samples', workflowId] });
      sayToast({ text: words.kept(nameOf(step, catalogue)) });
    } catch (failure) {
      sayFailure(failure);
    }
  };
  const failure =
    last?.error_message ?? state?.error ?? (run.error?.node_id === step.id ? run.error.message : undefined);
  return (
    <div className="flex flex-col gap-4">
      <p className="flex flex-wrap items-center gap-2 text-dense text-text-2" role="status">
        <Chip tone={tones[status] ?? 'plain'} dot>
          {flowTexts.run.states[status] ?? status}
        </Chip>
        {state && state.ms > 0 && <span className="num">{sayDuration(state.ms)}</span>}
        {last && last.attempt > 1 && <span>{words.tries(last.attempt)}</span>}
        {entries.length > 1 && <span>{words.times(entries.length)}</span>}
      </p>
      <StepApproval runId={run.id} stepId={step.id} status={status} />
      {failure && status === 'failed' && (
        <Banner
          tone="bad"
          title={words.error}
          action={
            run.status === 'failed' ? (
              <Button
                size="small"
                icon={<RotateCcw size={14} aria-hidden />}
                refused={!mayRun && workflowTexts.needsRun}
                onClick={() => void actions.retry(run)}
              >
                {words.retry}
              </Button>
            ) : undefined
          }
        >
          {failure}
        </Banner>
      )}
      {warnings.map(({ code, message }) => (
        <Banner key={code} tone="warn" title={words.warning}>
          {message}
        </Banner>
      ))}
      {run.hidden && <HiddenNote reason={run.hidden} />}
      {isError && !run.hidden && <ErrorState error={error} onRetry={() => void refetch()} className="m-0" />}
      {isPending && status !== 'remaining' && <Loading rows={3} />}
      {last && !run.hidden && status !== 'waiting' && (
        <>
          <section aria-label={words.cameIn}>
            <h3 className="mb-1.5 text-label font-semibold">{words.cameIn}</h3>
            {last.input === null ? (
              <p className="text-dense text-text-2">{run.tracing ? words.nothingIn : words.notKept}</p>
            ) : (
              <ValueRows label={words.cameIn} values={last.input} />
            )}
          </section>
          <section aria-label={words.gave}>
            <h3 className="mb-1.5 text-label font-semibold">{words.gave}</h3>
            {last.output === null ? <ValueText value={null} /> : <ValueRows label={words.gave} values={last.output} />}
          </section>
        </>
      )}
      {status === 'completed' && !run.hidden && (
        <Button
          className="self-start"
          icon={<Pin size={14} aria-hidden />}
          refused={!mayEdit && workflowTexts.needsEdit}
          onClick={() => void keep()}
        >
          {words.keepSample}
        </Button>
      )}
    </div>
  );
}
