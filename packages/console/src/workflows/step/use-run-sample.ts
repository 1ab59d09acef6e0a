import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { useStore } from 'zustand';
import { useClient, useWorkspace } from '../../api/session.ts';
import { useEditor } from '../editor/editor-context.ts';
import { inputsOf, isKeyed } from '../graph/catalogue.ts';
import type { Step } from '../graph/graph-types.ts';
import { runOfWorkflow } from '../queries.ts';

/** What a step did in the run that is shown: its entries in the trace, the last one last. */
export function useStepTrace(stepId: string) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const { runStore } = useEditor();
  const runId = useStore(runStore, (state) => state.run?.id);
  const status = useStore(runStore, (state) => state.steps[stepId]?.status);
  const runStatus = useStore(runStore, (state) => state.run?.status);
  const query = useQuery({
    queryKey: [w, 'runs', 'trace-of-steps', runId, status, runStatus],
    queryFn: () => client.runs.getTrace(runId as string),
    enabled: runId !== undefined && status !== undefined && status !== 'remaining',
    staleTime: 5000,
  });
  const steps = (query.data?.steps ?? []).flatMap((step) =>
    step.kind === 'node' && step.node_id === stepId && step.run_id === runId ? [step] : [],
  );
  return { ...query, entries: steps };
}

const isBox = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface RunSample {
  /** Undefined when they are not known. */
  sample: Record<string, unknown> | undefined;
  isPending: boolean;
}

/** The values that a step's expressions could name in the run that is shown. */
export function useRunSample(step: Step): RunSample {
  const { catalogue, runStore } = useEditor();
  const { id: w } = useWorkspace();
  const run = useStore(runStore, (state) => state.run);
  const client = useClient();
  const { id: workflowId } = useParams({ strict: false });
  const { run: asked } = useSearch({ strict: false }) as { run?: string };
  // Read by the editor; here only whether it could be.
  const { isError } = useQuery({ ...runOfWorkflow(client, w, workflowId as string, asked), enabled: false });
  const { entries, isLoading } = useStepTrace(step.id);
  const came = entries.at(-1)?.input;
  if (!run || !isBox(came))
    return { sample: undefined, isPending: isLoading || (asked !== undefined && !run && !isError) };
  const names: Record<string, unknown> = {};
  for (const input of inputsOf(step, catalogue)) {
    const value = came[input.name];
    if (isKeyed(input)) Object.assign(names, isBox(value) ? value : {});
    else if (value !== undefined) names[input.name] = value;
  }
  const sample = { ...names, inputs: names, run: { id: run.id, input: run.input } };
  return { sample, isPending: false };
}
