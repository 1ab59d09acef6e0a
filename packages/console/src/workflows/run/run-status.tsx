import { workflowTexts } from '../../text/workflows.ts';
import { Chip, type Tone } from '../../ui/chip.tsx';
import type { WorkflowRun } from '../queries.ts';

const tones: Record<WorkflowRun['status'], Tone> = {
  ...{ queued: 'info', running: 'accent', completed: 'ok', failed: 'bad', stopped: 'plain' },
  awaiting_human_feedback: 'warn',
};

export const RunStatusChip = ({ status }: { status: WorkflowRun['status'] }) => (
  <Chip tone={tones[status]} dot>
    {workflowTexts.statuses[status]}
  </Chip>
);
