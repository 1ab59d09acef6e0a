import type { Db } from '../../db/database.ts';
import { workflowsWithStep } from './find-step-store.ts';

export interface StepMatch {
  workflow_id: string;
  workflow_name: string;
  step_id: string;
  /** Its name, or its id where it has none. */
  name: string;
}

/** Steps of workflows by name or id. What they are configured with is not searched: it can hold credentials. */
export async function findSteps(db: Db, workspace_id: string, q: string, limit: number): Promise<StepMatch[]> {
  const sought = q.toLowerCase();
  const rows = await workflowsWithStep(db, workspace_id, q, limit);
  const steps = rows.flatMap(({ id, name, definition }) => {
    const { nodes } = JSON.parse(definition) as { nodes: { id?: unknown; name?: unknown }[] };
    return nodes.flatMap((step): StepMatch[] => {
      const step_id = String(step.id ?? '');
      const text = typeof step.name === 'string' ? step.name : '';
      if (![step_id, text].some((part) => part.toLowerCase().includes(sought))) return [];
      return [{ workflow_id: id, workflow_name: name, step_id, name: text || step_id }];
    });
  });
  return steps.slice(0, limit);
}
