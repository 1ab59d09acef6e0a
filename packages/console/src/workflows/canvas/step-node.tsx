import { Handle, type NodeProps, Position } from '@xyflow/react';
import { Check, CircleAlert, Minus, Square, UserCheck, X } from 'lucide-react';
import { memo } from 'react';
import { useStore } from 'zustand';
import { sayDuration } from '../../lib/numbers.ts';
import { flowTexts } from '../../text/workflow-editor.ts';
import { cx } from '../../ui/cx.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { useEditor } from '../editor/editor-context.ts';
import type { StepRun } from '../run/run-store.ts';
import { type StepElement, stateId } from './flow-elements.ts';
import { StepIcon } from './step-icon.tsx';

const borders: Readonly<Record<string, string>> = {
  ...{ completed: 'border-ok', running: 'border-accent', waiting: 'border-warn', failed: 'border-bad' },
  ...{ skipped: 'border-dashed border-line-2', stopped: 'border-line-2' },
};
const marks: Readonly<Record<string, string>> = {
  ...{ completed: 'bg-ok-soft text-ok', running: 'bg-accent-soft text-accent', waiting: 'bg-warn-soft text-warn' },
  ...{ failed: 'bg-bad-soft text-bad', skipped: 'bg-sunken text-text-3', stopped: 'bg-sunken text-text-3' },
};
const states = flowTexts.run.states;

/** A step on the canvas. Its part of the run is read beside the graph, so that a run draws nothing else again. */
export const StepNode = memo(function StepNode({ id, data, selected }: NodeProps<StepElement>) {
  const { runStore } = useEditor();
  const run = useStore(runStore, (state) => state.steps[id]);
  const isRunning = useStore(runStore, (state) => state.run !== undefined);
  const { step, name, kind, category, faults } = data;
  const status = run?.status ?? (isRunning ? 'remaining' : undefined);
  return (
    <div
      data-status={status}
      className={cx(
        'flex h-full w-full flex-col rounded-3 border bg-surface shadow-1',
        faults > 0 && !status ? 'border-bad' : ((status && borders[status]) ?? 'border-line-2'),
        selected && 'ring-2 ring-accent',
      )}
    >
      <Handle
        type="target"
        position={Position.Left}
        className="size-2.5! rounded-full! border! border-control! bg-surface!"
      />
      <div className="flex min-w-0 flex-1 items-center gap-2 px-2.5">
        <span className="grid size-7 flex-none place-items-center rounded-2 bg-sunken">
          <StepIcon type={step.type} category={category} />
        </span>
        <span className="min-w-0 flex-1">
          <span className="block truncate text-dense font-medium">{name}</span>
          <span className="block truncate text-caption text-text-3">{kind}</span>
        </span>
        {status && status !== 'remaining' && (
          <span aria-hidden className={cx('grid size-5 flex-none place-items-center rounded-full', marks[status])}>
            <StateIcon status={status} />
          </span>
        )}
        {faults > 0 && <CircleAlert size={16} aria-hidden className="flex-none text-bad" />}
      </div>
      <p
        id={stateId(id)}
        className={cx(
          'flex h-7 flex-none items-center justify-between gap-2 border-t border-line px-2.5 text-caption',
          faults > 0 && !status ? 'text-bad' : status === 'waiting' ? 'text-warn' : 'text-text-2',
        )}
      >
        <StateLine status={status} run={run} faults={faults} />
      </p>
      <Handle
        type="source"
        position={Position.Right}
        className="size-2.5! rounded-full! border! border-control! bg-surface!"
      />
    </div>
  );
});

function StateLine(props: { status: string | undefined; run: StepRun | undefined; faults: number }) {
  const { status, run, faults } = props;
  if (!status) return faults > 0 ? flowTexts.head.faults(faults) : null;
  const isOver = status === 'completed' || status === 'failed';
  return (
    <>
      <span className="flex-none">{states[status] ?? status}</span>
      {isOver && run && <span className="num truncate">{sayDuration(run.ms)}</span>}
    </>
  );
}

function StateIcon({ status }: { status: string }) {
  if (status === 'running') return <Spinner />;
  if (status === 'waiting') return <UserCheck size={12} />;
  if (status === 'failed') return <X size={12} />;
  if (status === 'stopped') return <Square size={10} />;
  return status === 'skipped' ? <Minus size={12} /> : <Check size={12} />;
}
