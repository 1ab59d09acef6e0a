import type { Database } from '../../../db/database.ts';
import type { Outputs } from '../nodes/define-node.ts';
import type { Batch, StepEnd } from '../runs/journal-events.ts';
import { readValues } from '../runs/run-store.ts';
import { StepFailed } from './step-failure.ts';

/** The state of a run as its journal tells it. */
export interface Past {
  ends: Map<string, StepEnd>;
  /** Steps that have begun and not ended. */
  begun: Set<string>;
  /** The time that each waiting step waits for. */
  times: Map<string, number>;
  /** The graphs of nested workflows that have begun. */
  graphs: Map<string, string>;
  /** How many steps have ended, on any node. */
  steps: number;
}

export function readJournalState(batches: readonly Batch[]): Past {
  const past: Past = { ends: new Map(), begun: new Set(), times: new Map(), graphs: new Map(), steps: 0 };
  for (const event of batches.flatMap(({ events }) => events)) {
    if (event.type === 'start') past.begun.add(event.node);
    else if (event.type === 'end') {
      past.ends.set(event.node, event);
      past.begun.delete(event.node);
      if (event.status !== 'skipped') past.steps++;
    } else if (event.type === 'wait' && event.for === 'time') past.times.set(event.node, event.until);
    else if (event.type === 'enter') past.graphs.set(event.node, event.graph_id);
  }
  return past;
}

/** Whether the run has done anything before; false for a new run. */
export const isResumed = ({ ends, begun }: Past) => ends.size > 0 || begun.size > 0;

type Known = Promise<Outputs> | Outputs | null | undefined;

/** Looks up the outputs of finished steps; a failure that no node handled is thrown again. */
export const makeStepResultLookup =
  (db: Database, run: { group_id: string; id: string }, { ends }: Past) =>
  (path: string): Known => {
    const end = ends.get(path);
    if (!end) return undefined;
    if (end.status === 'skipped') return null;
    if (end.status === 'failed' && !end.outputs)
      return Promise.reject(new StepFailed(end.error ?? { code: 'failed', message: '' }, path.split('/').at(-1) ?? ''));
    const { outputs = {}, large } = end;
    if (!large) return outputs;
    const load = async () => {
      const values = await readValues(db, run.group_id, run.id, Object.values(large));
      return { ...outputs, ...Object.fromEntries(Object.entries(large).map(([name, id]) => [name, values.get(id)])) };
    };
    return load();
  };
