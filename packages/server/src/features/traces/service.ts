import { notFound } from '@atrium/contract/errors.ts';
import type { Trace, TraceStep } from '@atrium/contract/traces/schema.ts';
import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { StoredPrompts } from './stored-prompts.ts';

export type Traces = ReturnType<typeof makeTraces>;

type ModelStep = Extract<TraceStep, { kind: 'model' }>;
type CallRow = Omit<ModelStep, 'kind' | 'error' | 'prompt'>;

interface EventRow {
  type: string;
  data: string;
  created_at: string;
}

/** Tools and guardrails, from the log of the run: how long they took, not what they were told. */
function stepsIn(events: readonly EventRow[]): TraceStep[] {
  const steps: TraceStep[] = [];
  const begun = new Map<string, string>();
  let before: string | undefined;
  for (const { type, data, created_at } of events) {
    const event = JSON.parse(data);
    const place = `${event.step} ${event.id}`;
    if (type === 'tool-call') begun.set(place, created_at);
    else if (type === 'tool-result') {
      // Tools that take turns begin when the one before is done.
      const call = begun.get(place) ?? created_at;
      const started_at = before !== undefined && before > call ? before : call;
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

const sum = (calls: readonly CallRow[], key: 'input_tokens' | 'cached_tokens' | 'output_tokens' | 'reasoning_tokens') =>
  calls.reduce((all, call) => all + call[key], 0);

/** How a run came about: every model, tool and guardrail it asked, with times, tokens and cost. */
export function makeTraces({ db, prompts }: { db: Database; prompts: StoredPrompts }) {
  return async (workspace_id: string, run_id: string): Promise<Trace> => {
    const run = await db.row<Omit<Trace, 'steps' | 'cost'> & { run_id: string }>(sql`
      select r.id as run_id, r.conversation_id, c.assistant_id as agent_id, c.assistant_version_id as version_id, r.status,
        coalesce(r.started_at, r.created_at) as started_at, r.finished_at
      from runs r join conversations c on c.workspace_id = r.workspace_id and c.id = r.conversation_id
      where r.workspace_id = ${workspace_id} and r.id = ${run_id}`);
    if (!run) throw notFound('run');
    const [calls, events, told] = await Promise.all([
      db.rows<CallRow>(sql`
        select id, at as started_at, ms, purpose, model, ttft_ms, status, input_tokens, cached_tokens, output_tokens,
          reasoning_tokens, cost, estimated
        from model_calls where workspace_id = ${workspace_id} and run_id = ${run_id}`),
      db.rows<EventRow>(sql`
        select type, data, created_at from run_events
        where workspace_id = ${workspace_id} and run_id = ${run_id}
          and type in ('tool-call', 'tool-result', 'guardrail') order by seq`),
      prompts.of(workspace_id, run_id),
    ]);
    const asked = calls.map(
      (call): ModelStep => ({
        kind: 'model',
        ...call,
        error: call.status === 'failed',
        prompt: told.get(call.id) ?? null,
      }),
    );
    const steps = [...asked, ...stepsIn(events)].toSorted((a, b) => (a.started_at < b.started_at ? -1 : 1));
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
