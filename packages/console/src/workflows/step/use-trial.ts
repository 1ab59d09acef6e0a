import { useState } from 'react';
import { useClient } from '../../api/session.ts';
import { useEditor } from '../editor/editor-context.ts';
import type { Step } from '../graph/graph-types.ts';
import type { WorkflowRun } from '../queries.ts';

export interface TrialResult {
  status: WorkflowRun['status'];
  error: string | undefined;
  outputs: Record<string, unknown> | undefined;
}

/** Runs a step of the draft by itself and waits for its end. */
export function useTrial(step: Step) {
  const client = useClient();
  const { store } = useEditor();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const [result, setResult] = useState<TrialResult>();
  const start = async (input: Record<string, unknown>): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setFailure(undefined);
    setResult(undefined);
    try {
      await store.flush();
      const { workflow } = store.getState();
      const run = (await client.workflowRuns.startAndWait(workflow.id, {
        ...{ input, single_node_id: step.id, use_samples: true, tracing: true },
        ...(workflow.draft && { draft: true }),
      })) as WorkflowRun;
      const { steps } = await client.runs.getTrace(run.id);
      const entry = steps.findLast((one) => one.kind === 'node' && one.node_id === step.id);
      const output = entry?.kind === 'node' ? entry.output : null;
      setResult({
        status: run.status,
        error: run.error?.message,
        outputs: typeof output === 'object' && output !== null ? (output as Record<string, unknown>) : undefined,
      });
    } catch (error) {
      setFailure(error);
    }
    setBusy(false);
  };
  return { busy, failure, result, start };
}
