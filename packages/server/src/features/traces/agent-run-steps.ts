import type { RunEvent } from '@atrium/contract/runs/events.ts';
import type { TraceStep } from '@atrium/contract/traces/schema.ts';
import type { TimedEvent } from '../runs/ports.ts';
import { toolStepId } from '../runs/service.ts';

export type ToolStep = Extract<TraceStep, { kind: 'tool' }>;
type WaitStep = Extract<TraceStep, { kind: 'wait' }>;
type ModelStep = Extract<TraceStep, { kind: 'model' }>;

/** The events that tell when models, tools and guardrails ran and when the run waited. */
export const stepEvents: readonly RunEvent['type'][] = [
  ...(['step-start', 'attempt-start', 'step-end', 'tool-call', 'tool-result', 'guardrail'] as const),
  ...(['approval-request', 'approval-decision', 'human-request', 'human-answer', 'handover', 'run-end'] as const),
];

/** A model that is being asked: its call is recorded when it ends. */
const runningModel = (run_id: string, event: Extract<TimedEvent, { type: 'attempt-start' }>): ModelStep => ({
  ...{ kind: 'model', id: `step-${event.step}-${event.attempt}`, parent_id: null, run_id, started_at: event.at },
  ...{ ms: Math.max(0, Date.now() - Date.parse(event.at)), error: false, running: true, purpose: 'reply' },
  ...{ model: event.model, ttft_ms: null, status: 'running', estimated: true, attempt: event.attempt },
  ...{ input_tokens: 0, cached_tokens: 0, output_tokens: 0, reasoning_tokens: 0, cost: null },
  ...{ first_try_id: null, error_message: null, answer: null, prompt: null },
});

/**
 * The tools, guardrails and waits in the log of an agent run, and the model that is being asked. `idOf` finds the id of
 * a step by the place that other records name.
 */
export function stepsInLog(run_id: string, events: readonly TimedEvent[], finished_at: string | null) {
  const over = finished_at !== null;
  const now = Date.parse(finished_at ?? new Date().toISOString());
  const steps: TraceStep[] = [];
  const tools = new Map<string, ToolStep>();
  const waits = new Map<string, WaitStep>();
  const taken = new Set<string>();
  let asking: Extract<TimedEvent, { type: 'attempt-start' }> | undefined;

  /** Providers give call ids that are unique in one answer only. */
  function uniqueId(id: string): string {
    let unique = id;
    for (let count = 2; taken.has(unique); count++) unique = `${id}~${count}`;
    taken.add(unique);
    return unique;
  }
  const since = (at: string) => Math.max(0, now - Date.parse(at));
  function openWait(request_id: string, at: string, more: Pick<WaitStep, 'for' | 'name' | 'parent_id'>): void {
    const wait: WaitStep = {
      ...{ kind: 'wait', id: uniqueId(`wait-${request_id}`), run_id, started_at: at, ms: since(at), ...more },
      ...{ error: false, running: !over, request_id, decision: null, by: null },
    };
    waits.set(request_id, wait);
    steps.push(wait);
  }
  function endWait(request_id: string, at: string, more: Partial<WaitStep>): void {
    const wait = waits.get(request_id);
    if (wait) Object.assign(wait, { running: false, ms: Date.parse(at) - Date.parse(wait.started_at), ...more });
  }
  const toolId = (step: number, call_id: string) => tools.get(toolStepId(step, call_id))?.id ?? null;

  for (const event of events) {
    const { at } = event;
    if (event.type === 'attempt-start') {
      asking = event;
      // The calls of an answer that broke off are never made.
      if (event.discard)
        for (const [key, tool] of tools)
          if (key.startsWith(`${event.step}:`) && tool.outcome === null) {
            tools.delete(key);
            steps.splice(steps.indexOf(tool), 1);
          }
    } else if (event.type === 'step-end') asking = undefined;
    else if (event.type === 'tool-call') {
      const tool: ToolStep = {
        ...{ kind: 'tool', id: uniqueId(event.id), parent_id: null, run_id, started_at: at, ms: since(at) },
        ...{ error: false, running: !over, name: event.name, call_id: event.id, outcome: null, cost: 0 },
        ...{ input: event.input, output: null },
      };
      tools.set(toolStepId(event.step, event.id), tool);
      steps.push(tool);
    } else if (event.type === 'tool-result') {
      const tool = tools.get(toolStepId(event.step, event.id));
      if (!tool) continue;
      // A call may have waited for people, or for the call before it.
      const ms = event.ms ?? Math.max(0, Date.parse(at) - Date.parse(tool.started_at));
      const started = Math.max(Date.parse(tool.started_at), Date.parse(at) - ms);
      Object.assign(tool, {
        ...{ started_at: new Date(started).toISOString(), ms, running: false, error: event.is_error },
        ...{ outcome: event.outcome ?? (event.is_error ? 'error' : 'ok'), cost: event.cost ?? 0 },
        output: event.output,
      });
    } else if (event.type === 'guardrail') {
      const { ms, stage, action } = event;
      steps.push({
        ...{ kind: 'guardrail', id: uniqueId(`${stage}-${event.step}`), parent_id: null, run_id, stage, action, ms },
        ...{ started_at: new Date(Date.parse(at) - ms).toISOString(), error: event.failed === true, running: false },
      });
    } else if (event.type === 'approval-request')
      openWait(event.id, at, { for: 'approval', name: event.name, parent_id: toolId(event.step, event.call_id) });
    else if (event.type === 'human-request')
      openWait(event.id, at, { for: 'answer', name: event.name, parent_id: toolId(event.step, event.call_id) });
    else if (event.type === 'handover') openWait('handover', at, { for: 'person', name: null, parent_id: null });
    else if (event.type === 'approval-decision') endWait(event.id, at, { decision: event.decision, by: event.by });
    else if (event.type === 'human-answer') endWait(event.id ?? 'handover', at, { by: event.by });
    else if (event.type === 'run-end') asking = undefined;
  }
  for (const step of waits.values()) if (step.request_id === 'handover') step.request_id = null;
  if (asking && !over) steps.push(runningModel(run_id, asking));
  return { steps, idOf: (place: string) => tools.get(place)?.id ?? null };
}
