import { useQuery } from '@tanstack/react-query';
import { useClient, useMay, useWorkspace } from '../../api/session.ts';
import type { StepsProps } from './work-group.tsx';
import { StepRow } from './work-step.tsx';

/** How long each call of a run took, by the id of the call. Those who may not read the trace see the steps without. */
function useStepTimes(runId: string | undefined): ReadonlyMap<string, number> | undefined {
  const client = useClient();
  const { id: w } = useWorkspace();
  const may = useMay();
  const { data } = useQuery({
    queryKey: [w, 'runs', 'step-times', runId],
    queryFn: async () => {
      const { steps } = await client.runs.getTrace(runId ?? '', { content: false });
      return new Map(steps.flatMap((step) => (step.kind === 'tool' ? [[step.call_id, step.ms] as const] : [])));
    },
    enabled: runId !== undefined && may('conversations_read'),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return data;
}

/** The steps of an answer with how long each took. */
export function TimedSteps({ steps, runId }: StepsProps) {
  const times = useStepTimes(runId);
  return steps.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: steps only follow each other.
    <StepRow key={index} part={part} ms={times?.get(part.toolCallId ?? '')} />
  ));
}
