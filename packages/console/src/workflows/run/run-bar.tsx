import { Link } from '@tanstack/react-router';
import { RotateCcw, Square, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { useWorkspace } from '../../api/session.ts';
import { sayDuration } from '../../lib/numbers.ts';
import { useShortcuts } from '../../lib/shortcuts.ts';
import { HiddenNote } from '../../runs/details/hidden-note.tsx';
import { flowTexts } from '../../text/workflow-editor.ts';
import { workflowTexts } from '../../text/workflows.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { useBuild } from '../editor/build-context.ts';
import { useEditor } from '../editor/editor-context.ts';
import type { WorkflowRun } from '../queries.ts';
import { RunStatusChip } from './run-status.tsx';
import { useRunActions } from './use-run-actions.ts';

const words = flowTexts.run;
const colors: Readonly<Record<string, string>> = {
  ...{ completed: 'bg-ok', running: 'bg-accent', waiting: 'bg-warn', failed: 'bg-bad', skipped: 'bg-line-2' },
};

/** Counts on while the run goes on. */
function useElapsed(run: WorkflowRun | undefined): number {
  const [now, setNow] = useState(Date.now);
  const isOver = !run || run.finished_at !== null;
  useEffect(() => {
    if (isOver) return;
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, [isOver]);
  const begun = Date.parse(run?.started_at ?? run?.created_at ?? new Date().toISOString());
  return Math.max(0, (run?.finished_at ? Date.parse(run.finished_at) : now) - begun);
}

/** How the run stands, and what can be done about it. */
export function RunBar({ error }: { error: unknown }) {
  const { runStore, mayRun } = useEditor();
  const { open } = useBuild();
  const { id: w } = useWorkspace();
  const actions = useRunActions();
  const run = useStore(runStore, (state) => state.run);
  const steps = useStore(runStore, (state) => state.steps);
  const elapsed = useElapsed(run);
  const isLive = run && !run.finished_at && !['completed', 'failed', 'stopped'].includes(run.status);
  useShortcuts(isLive ? [{ keys: 'mod+.', label: words.stop, onPress: () => void actions.stop(run) }] : []);
  if (error) return <ErrorState error={error} onRetry={() => void actions.show(undefined)} />;
  if (!run) return null;
  const all = Object.entries(steps);
  const done = all.filter(([, { status }]) => ['completed', 'failed', 'skipped'].includes(status)).length;
  const waiting = all.filter(([, { status }]) => status === 'waiting').map(([id]) => id);
  const failed = run.error?.node_id ?? undefined;
  const refused = !mayRun && workflowTexts.needsRun;
  const canRetry = run.status === 'failed' || run.status === 'stopped';
  return (
    <section aria-label={words.label} className="flex-none border-t border-line bg-surface px-4 pt-2.5 pb-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <span role="status" className="flex flex-wrap items-center gap-2">
          <RunStatusChip status={run.status} />
          <span className="num text-dense text-text-2">{words.steps(done, all.length)}</span>
        </span>
        <span className="num text-dense text-text-3">{sayDuration(elapsed)}</span>
        {waiting[0] && run.status === 'awaiting_human_feedback' && (
          <Button size="small" onClick={() => open(waiting[0], true)}>
            {words.showWaiting}
          </Button>
        )}
        {failed && (
          <Button size="small" onClick={() => open(failed, true)}>
            {words.showFailed}
          </Button>
        )}
        <span className="ml-auto flex flex-wrap items-center gap-2">
          <Link to={`/w/${w}/runs/${run.id}` as '/'} className="text-dense font-medium">
            {words.trace}
          </Link>
          {canRetry && (
            <Button
              size="small"
              look="primary"
              icon={<RotateCcw size={14} aria-hidden />}
              refused={refused}
              title={words.retryHelp}
              onClick={() => void actions.retry(run)}
            >
              {words.retry}
            </Button>
          )}
          {isLive && (
            <Button
              size="small"
              look="danger"
              icon={<Square size={12} aria-hidden />}
              refused={refused}
              onClick={() => void actions.stop(run)}
            >
              {words.stop}
            </Button>
          )}
          <IconButton label={words.close} icon={<X size={15} />} onClick={() => void actions.show(undefined)} />
        </span>
      </div>
      <div aria-hidden className="mt-2 flex h-1.5 gap-px overflow-hidden rounded-full bg-sunken">
        {all.map(([id, { status }]) => (
          <span key={id} className={`min-w-0 flex-1 ${colors[status] ?? ''}`} />
        ))}
      </div>
      {run.error && <p className="mt-2 text-dense text-bad">{run.error.message}</p>}
      {run.hidden && (
        <div className="mt-2">
          <HiddenNote reason={run.hidden} />
        </div>
      )}
      {run.output && <RunOutput output={run.output} />}
    </section>
  );
}

/** What the run gave. */
function RunOutput({ output }: { output: NonNullable<WorkflowRun['output']> }) {
  const entries = Object.entries(output);
  if (entries.length === 0) return null;
  return (
    <dl className="mt-2 grid max-h-28 grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1 overflow-y-auto text-dense">
      {entries.map(([key, { label, text }]) => (
        <div key={key} className="contents">
          <dt className="text-text-3">{label || words.output}</dt>
          <dd dir="auto" className="break-words whitespace-pre-wrap">
            {text}
          </dd>
        </div>
      ))}
    </dl>
  );
}
