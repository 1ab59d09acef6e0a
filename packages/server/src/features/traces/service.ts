import { notFound } from '@atrium/contract/errors.ts';
import type { TraceStep } from '@atrium/contract/traces/schema.ts';
import type { Database } from '../../db/database.ts';
import type { KeptPrompt, StoredPrompts, Traces } from './ports.ts';
import { type CallRow, type EventRow, findRun, listCalls, listStepEvents } from './store.ts';

type ModelStep = Extract<TraceStep, { kind: 'model' }>;

/** The tool and guardrail steps of a run's log, with their times and without their input. */
function stepsIn(events: readonly EventRow[]): TraceStep[] {
  const steps: TraceStep[] = [];
  const callTimes = new Map<string, string>();
  let before: string | undefined;
  for (const { type, data, created_at } of events) {
    const event = JSON.parse(data);
    const call = `${event.step} ${event.id}`;
    if (type === 'tool-call') callTimes.set(call, created_at);
    else if (type === 'tool-result') {
      // Tools that run one after another start when the one before ends.
      const called_at = callTimes.get(call) ?? created_at;
      const started_at = before !== undefined && before > called_at ? before : called_at;
      const ms = Math.max(0, Date.parse(created_at) - Date.parse(started_at));
      steps.push({ kind: 'tool', id: event.id, started_at, ms, error: event.is_error, name: event.name });
      before = created_at;
    } else if (type === 'guardrail') {
      const started_at = new Date(Date.parse(created_at) - event.ms).toISOString();
      const { ms, stage, action } = event;
      const id = `${stage}-${event.step}`;
      steps.push({ kind: 'guardrail', id, started_at, ms, error: event.failed === true, stage, action });
    }
  }
  return steps;
}

const promptShown = (kept: KeptPrompt | undefined) => {
  if (!kept) return null;
  const { system, messages, tools, settings, left_out } = kept;
  return { system, messages, tools, settings, left_out };
};

const sum = (calls: readonly CallRow[], key: 'input_tokens' | 'cached_tokens' | 'output_tokens' | 'reasoning_tokens') =>
  calls.reduce((all, call) => all + call[key], 0);

export function makeTraces({ db, prompts }: { db: Database; prompts: StoredPrompts }): Traces {
  return async (workspace_id, run_id) => {
    const run = await findRun(db, workspace_id, run_id);
    if (!run) throw notFound('run');
    const [calls, events, promptOf] = await Promise.all([
      listCalls(db, workspace_id, run_id),
      listStepEvents(db, workspace_id, run_id),
      prompts.listOfRun(workspace_id, run_id),
    ]);
    const modelSteps = calls.map(
      (call): ModelStep => ({
        kind: 'model',
        ...call,
        error: call.status === 'failed',
        prompt: promptShown(promptOf.get(call.id)),
      }),
    );
    const steps = [...modelSteps, ...stepsIn(events)].toSorted((a, b) => (a.started_at < b.started_at ? -1 : 1));
    const costs = calls.flatMap(({ cost }) => cost ?? []);
    return {
      ...run,
      input_tokens: sum(calls, 'input_tokens'),
      cached_tokens: sum(calls, 'cached_tokens'),
      output_tokens: sum(calls, 'output_tokens'),
      reasoning_tokens: sum(calls, 'reasoning_tokens'),
      cost: costs.length ? costs.reduce((all, cost) => all + cost, 0) : null,
      steps,
    };
  };
}
