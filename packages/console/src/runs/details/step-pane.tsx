import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import type { Ref } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { traceTexts } from '../../text/traces.ts';
import { cx } from '../../ui/cx.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { ErrorState, Loading } from '../../ui/states.tsx';
import type { Run, Trace } from '../runs.ts';
import { type Row, rootId } from '../trace/build-rows.ts';
import { GapDetails } from './gap-details.tsx';
import { RunDetails } from './run-details.tsx';
import { StepDetails } from './step-details.tsx';

const words = traceTexts.details;

interface StepPaneProps {
  ref: Ref<HTMLElement>;
  run: Run;
  trace: Trace;
  /** The chosen step; undefined or the root: the run itself. */
  step: string | undefined;
  row: Row | undefined;
  part: string | undefined;
  onPart: (part: string) => void;
  onClose: () => void;
  /** Escape: the steps get the focus back. */
  onLeave: () => void;
}

/** What the chosen step was given and gave. Its content is loaded when it is chosen. */
export function StepPane(props: StepPaneProps) {
  const { ref, run, trace, step, row, part, onPart, onClose, onLeave } = props;
  const isRun = step === undefined || step === rootId;
  const client = useClient();
  const { id: w } = useWorkspace();
  const query = useQuery({
    queryKey: [w, 'runs', 'step', trace.run_id, step],
    queryFn: async () => (await client.runs.getTrace(trace.run_id, { step_id: step ?? '' })).steps[0] ?? null,
    enabled: !isRun && row?.step !== undefined,
    refetchInterval: ({ state }) =>
      state.data?.running || (state.data?.kind === 'model' && isFresh(state.data.started_at) && !state.data.prompt)
        ? 1500
        : false,
  });
  return (
    <aside
      ref={ref}
      aria-label={words.label}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        onLeave();
      }}
      className={cx(
        'w-full overflow-y-auto border-line bg-surface outline-offset-[-2px] narrow:w-90 narrow:flex-none narrow:border-l wide:w-105',
        step === undefined && 'max-narrow:hidden',
      )}
    >
      <div className="p-2 narrow:hidden">
        <IconButton label={traceTexts.backToSteps} icon={<ArrowLeft size={16} />} onClick={onClose} />
      </div>
      {isRun ? (
        <RunDetails run={run} trace={trace} />
      ) : !row ? (
        <p className="p-4 text-dense text-text-2">{traceTexts.gone}</p>
      ) : row.gap ? (
        <GapDetails gap={row.gap} />
      ) : query.data ? (
        <StepDetails key={step} {...{ trace, part, onPart }} step={query.data} />
      ) : query.isError ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Loading rows={6} onRetry={() => void query.refetch()} />
      )}
    </aside>
  );
}

/** Prompts are written a moment after their answer. */
const isFresh = (started: string) => Date.now() - Date.parse(started) < 60_000;
