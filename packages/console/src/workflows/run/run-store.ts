import type { RunPart } from '@atrium/sdk';
import { createStore } from 'zustand';
import type { WorkflowRun } from '../queries.ts';

/** How a step stands in the run that is shown. */
export interface StepRun {
  status: string;
  ms: number;
  times: number;
  /** What it gave, as text. */
  content?: string;
  error?: string;
}
interface RunState {
  run: WorkflowRun | undefined;
  steps: Readonly<Record<string, StepRun>>;
  /** By edge: `completed` when a value went over it, `skipped` when none will. */
  edges: Readonly<Record<string, string>>;
}
type Details = NonNullable<WorkflowRun['progress_details']>;

const none: RunState = { run: undefined, steps: {}, edges: {} };

export type RunStore = ReturnType<typeof makeRunStore>;

/** The run that is shown beside the steps. Each step reads its own part, so that one event draws one step again. */
export function makeRunStore() {
  const store = createStore<RunState>(() => none);
  const { setState } = store;

  function takeDetails(details: Details | null | undefined): void {
    if (!details) return;
    setState(({ steps }) => {
      const next: Record<string, StepRun> = {};
      for (const [id, { status, ms, times }] of Object.entries(details.per_node_progress)) {
        const old = steps[id];
        const isSame = old?.status === status && old.ms === ms && old.times === times;
        next[id] = isSame ? old : { ...old, status, ms, times };
      }
      return { steps: next, edges: details.per_edge_progress };
    });
  }

  return {
    ...store,
    clear: () => setState(none, true),
    takeRun(run: WorkflowRun): void {
      setState((state) => (state.run?.id === run.id ? { run } : { ...none, run }));
      takeDetails(run.progress_details);
      const { error } = run;
      if (error?.node_id)
        setState(({ steps }) => {
          const id = error.node_id as string;
          return {
            steps: {
              ...steps,
              [id]: { ...(steps[id] ?? { ms: 0, times: 1 }), status: 'failed', error: error.message },
            },
          };
        });
    },
    takeEvent({ event, data }: RunPart): void {
      const id = String(data['id'] ?? '');
      if (event === 'state') {
        takeDetails(data['progress_details'] as Details | undefined);
        const status = data['status'] as WorkflowRun['status'];
        setState(({ run }) => (run && run.status !== status ? { run: { ...run, status } } : {}));
      } else if (data['workflow_status'] === undefined && id) {
        const status = String(data['status'] ?? 'running');
        const { content, error } = data as { content?: string; error?: { message?: string } };
        setState(({ steps }) => ({
          steps: {
            ...steps,
            [id]: {
              ...(steps[id] ?? { ms: 0, times: 0 }),
              status: status === 'retrying' ? 'running' : status,
              ...(content !== undefined && { content }),
              ...(error?.message && { error: error.message }),
            },
          },
        }));
      }
    },
  };
}
