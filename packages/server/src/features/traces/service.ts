import { forbidden, notFound } from '@atrium/contract/errors.ts';
import { allows, type Permission } from '@atrium/contract/permissions.ts';
import type { Trace, TraceStep } from '@atrium/contract/traces/schema.ts';
import type { Database } from '../../db/database.ts';
import { lacksPermission, type Scope } from '../../lib/scope.ts';
import type { Transcript } from '../conversations/ports.ts';
import { onlyOf } from '../conversations/service.ts';
import { accessToRun, type FindHiddenRuns } from '../ownership/service.ts';
import type { RunLog, TimedEvent } from '../runs/ports.ts';
import { toolStepId } from '../runs/service.ts';
import { stepEvents, stepsInLog, type ToolStep } from './agent-run-steps.ts';
import { type ContentBudget, makeContentBudget, noContent } from './content-budget.ts';
import type { KeptPrompt, ReadWorkflowSteps, StoredPrompts, Traces } from './ports.ts';
import { type CallRow, findRun, listCalls, listChildRuns, type RunRow } from './store.ts';
import { timeOfRun } from './time-of-run.ts';

type Usage = Trace['whole'];
type ModelStep = Extract<TraceStep, { kind: 'model' }>;
type NodeStep = Extract<TraceStep, { kind: 'node' }>;

/** A prompt has some 400 KB at most. */
const promptsAtOnce = 10;

const byStart = (a: { started_at: string }, b: { started_at: string }) =>
  a.started_at < b.started_at ? -1 : a.started_at > b.started_at ? 1 : 0;

/** Runs below one run that its trace shows. */
const mostChildren = 200;
/** As many runs wait for one another at most. */
const deepest = 8;

const noUsage: Usage = { input_tokens: 0, cached_tokens: 0, output_tokens: 0, reasoning_tokens: 0, cost: null };
const addUsage = (a: Usage, b: Usage): Usage => ({
  input_tokens: a.input_tokens + b.input_tokens,
  cached_tokens: a.cached_tokens + b.cached_tokens,
  output_tokens: a.output_tokens + b.output_tokens,
  reasoning_tokens: a.reasoning_tokens + b.reasoning_tokens,
  cost: a.cost === null && b.cost === null ? null : (a.cost ?? 0) + (b.cost ?? 0),
});

function promptOf(kept: KeptPrompt | undefined) {
  if (!kept) return { prompt: null, answer: null, error_message: null };
  const { system, messages, tools, settings, left_out, answer = null, error = null } = kept;
  return { prompt: { system, messages, tools, settings, left_out }, answer, error_message: error };
}

const modelStep = (
  run_id: string,
  { parent_step_id: _, ...call }: CallRow,
  parent_id: string | null,
  kept: KeptPrompt | undefined,
): ModelStep => ({
  ...{ kind: 'model', ...call, parent_id, run_id, error: call.status === 'failed', running: false },
  ...promptOf(kept),
});

/** Only ids of calls and runs are unique among several runs. */
const isGlobal = ({ kind }: TraceStep) => kind === 'model' || kind === 'run';

/** The steps of a run below another one: their ids name the run, and the run itself is the parent of its steps. */
function nestSteps(steps: readonly TraceStep[], run_id: string): TraceStep[] {
  const names = new Map(steps.map((step) => [step.id, isGlobal(step) ? step.id : `${run_id}/${step.id}`]));
  return steps.map((step) => ({
    ...step,
    id: names.get(step.id) ?? step.id,
    parent_id: step.parent_id === null ? run_id : (names.get(step.parent_id) ?? step.parent_id),
  }));
}

export interface TracesDeps {
  db: Database;
  prompts: Pick<StoredPrompts, 'listIds' | 'read'>;
  log: Pick<RunLog, 'timed'>;
  workflowSteps: ReadWorkflowSteps;
  transcript: Pick<Transcript, 'read'>;
  findHiddenRuns: FindHiddenRuns;
  /** Puts placeholders in place of private values of the conversation, in inputs and outputs of tools. */
  hideValues(scope: Scope, conversation_id: string, tools: readonly ToolStep[]): Promise<void>;
  /** The same for inputs and outputs of nodes, which belong to no conversation. */
  hideNodeValues(scope: Scope, nodes: readonly NodeStep[]): Promise<void>;
}

const readPermission: Record<RunRow['kind'], Permission> = {
  conversation: 'conversations_read',
  workflow: 'flows_run',
};

/** Finds a run that the caller may read; a run that it may not see is answered like one that does not exist. */
export async function findReadableRun(
  { db, transcript }: Pick<TracesDeps, 'db' | 'transcript'>,
  scope: Scope,
  run_id: string,
): Promise<RunRow> {
  if (Object.values(readPermission).every((permission) => !allows(scope.permissions, permission)))
    throw forbidden(lacksPermission(scope, readPermission.conversation));
  const run = await findRun(db, scope.workspace_id, run_id);
  if (!run || !allows(scope.permissions, readPermission[run.kind])) throw notFound('run');
  if (run.kind === 'workflow' && (await accessToRun(db, scope, run_id)) !== 'whole') throw notFound('run');
  // Also for a caller that sees all: the access log names the conversation.
  if (run.conversation_id !== null && (scope.noteRead || onlyOf(scope) !== undefined))
    await transcript.read(scope, run.conversation_id).catch(() => {
      if (onlyOf(scope) !== undefined) throw notFound('run');
    });
  return run;
}

interface Reading {
  workspace_id: string;
  /** The content that the trace may have. */
  budget: ContentBudget;
  children: boolean;
  /** Undefined: everything is read. */
  scope: Scope | undefined;
  /** How many runs below may still be read. */
  room: { left: number };
}

export function makeTraces(deps: TracesDeps): Traces {
  const { db, prompts, log, workflowSteps, transcript, findHiddenRuns, hideValues, hideNodeValues } = deps;

  async function workflowRunSteps({ workspace_id, budget, scope }: Reading, run: RunRow) {
    const steps = await workflowSteps(workspace_id, run.run_id, budget);
    const known = new Set(steps.map(({ id }) => id));
    const shown = steps.filter(
      (step): step is NodeStep => step.kind === 'node' && (step.input !== null || step.output !== null),
    );
    if (scope) await hideNodeValues(scope, shown);
    return { steps, idOf: (place: string) => (known.has(place) ? place : null) };
  }

  async function agentRunSteps({ workspace_id, budget, scope }: Reading, run: RunRow) {
    const truncated = new Set<string>();
    /** Lets go of inputs and outputs that the trace will not show. */
    function lighten(event: TimedEvent): TimedEvent {
      if (event.type !== 'tool-call' && event.type !== 'tool-result') return event;
      if (budget.admits(event.id, event.type === 'tool-call' ? event.input : event.output)) return event;
      if (budget.wants(event.id)) truncated.add(toolStepId(event.step, event.id));
      return event.type === 'tool-call' ? { ...event, input: null } : { ...event, output: null as never };
    }
    const events = await log.timed(workspace_id, run.run_id, stepEvents, lighten);
    const { steps, idOf } = stepsInLog(run.run_id, events, run.finished_at);
    const cut = new Set([...truncated].map(idOf));
    for (const step of steps) if (cut.has(step.id)) step.truncated = true;
    const tools = steps.filter((step): step is ToolStep => step.kind === 'tool');
    const shown = tools.filter(({ input, output }) => input !== null || output !== null);
    if (scope && run.conversation_id !== null) await hideValues(scope, run.conversation_id, shown);
    return { steps, idOf };
  }

  const ownSteps = (reading: Reading, run: RunRow) =>
    run.kind === 'workflow' ? workflowRunSteps(reading, run) : agentRunSteps(reading, run);

  /** The prompts that fit into the trace, the first ones first, and the calls whose prompts did not. */
  async function readPrompts({ workspace_id, budget }: Reading, { run_id }: RunRow, calls: readonly CallRow[]) {
    const shown = new Map<string, KeptPrompt>();
    const left = new Set<string>();
    const wanted = calls.filter(({ id }) => budget.wants(id)).sort(byStart);
    if (wanted.length === 0) return { shown, left };
    const kept = await prompts.listIds(workspace_id, run_id);
    const ids = wanted.flatMap(({ id }) => (kept.has(id) ? id : []));
    for (let at = 0; at < ids.length; at += promptsAtOnce) {
      const batch = ids.slice(at, at + promptsAtOnce);
      const read = budget.isFull ? undefined : await prompts.read(workspace_id, run_id, batch);
      for (const id of batch) {
        const prompt = read?.get(id);
        if (prompt && budget.admits(id, promptOf(prompt))) shown.set(id, prompt);
        else left.add(id);
      }
    }
    return { shown, left };
  }

  /** A workflow run below another run has the readers of that one. */
  const mayRead = ({ scope }: Reading, run: RunRow) =>
    scope === undefined ||
    (allows(scope.permissions, readPermission[run.kind]) && (run.kind === 'workflow' || onlyOf(scope) === undefined));

  async function read(reading: Reading, run: RunRow, depth: number) {
    const { workspace_id, budget, children } = reading;
    const [calls, below] = await Promise.all([
      listCalls(db, workspace_id, run.run_id),
      children && depth < deepest ? listChildRuns(db, workspace_id, run.run_id, reading.room.left) : [],
    ]);
    // What tools and nodes were given and answered is mostly smaller than prompts, which repeat it.
    const { steps, idOf } = await ownSteps(reading, run);
    const kept = await readPrompts(reading, run, calls);
    reading.room.left -= below.length;
    const own = calls.reduce<Usage>(addUsage, noUsage);
    let whole = own;
    for (const call of calls) {
      const parent_id = call.parent_step_id === null ? null : idOf(call.parent_step_id);
      const step = modelStep(run.run_id, call, parent_id, kept.shown.get(call.id));
      steps.push(kept.left.has(call.id) ? { ...step, truncated: true } : step);
    }
    for (const child of below) {
      const readable = mayRead(reading, child);
      const inside = await read(
        { ...reading, budget: readable ? budget.below(child.run_id) : noContent },
        child,
        depth + 1,
      );
      whole = addUsage(whole, inside.whole);
      const { run_id, status, conversation_id, workflow_id, agent_id, agent_name, started_at, finished_at } = child;
      const end = finished_at === null ? Date.now() : Date.parse(finished_at);
      steps.push({
        ...{ kind: 'run', id: run_id, parent_id: child.parent_step_id === null ? null : idOf(child.parent_step_id) },
        ...{ run_id, run_kind: child.kind, status, conversation_id, workflow_id, agent_id, agent_name, started_at },
        ...{ ms: Math.max(0, end - Date.parse(started_at)), running: finished_at === null, error: status === 'failed' },
        ...inside.own,
      });
      if (readable) steps.push(...nestSteps(inside.steps, run_id));
    }
    steps.sort(byStart);
    return { steps, own, whole };
  }

  async function traceOf(reading: Reading, run: RunRow): Promise<Trace> {
    const { steps, own, whole } = await read(reading, run, 0);
    const { run_id, kind, conversation_id, workflow_id, parent_run_id, agent_id, version_id, status } = run;
    return {
      ...{ run_id, kind, conversation_id, workflow_id, parent_run_id, agent_id, version_id, status },
      ...{ created_at: run.created_at, started_at: run.started_at, finished_at: run.finished_at, ...own, whole },
      time: timeOfRun(run, steps),
      ...{ hidden: null, truncated: steps.some((step) => step.truncated === true), steps },
    };
  }

  return {
    async get(scope, run_id, { content, step_id, max_bytes }) {
      const run = await findReadableRun({ db, transcript }, scope, run_id);
      const { workspace_id } = scope;
      const isHidden = run.actor_id !== scope.actor.id && (await findHiddenRuns(scope, [run_id])).has(run_id);
      const budget = content && !isHidden ? makeContentBudget(max_bytes, step_id) : noContent;
      const trace = await traceOf({ workspace_id, budget, children: true, scope, room: { left: mostChildren } }, run);
      const hidden = isHidden ? ('documents' as const) : null;
      if (step_id === undefined) return { ...trace, hidden };
      return { ...trace, hidden, truncated: false, steps: trace.steps.filter(({ id }) => id === step_id) };
    },

    async ofRun(workspace_id, run_id) {
      const run = await findRun(db, workspace_id, run_id);
      if (!run) throw notFound('run');
      return traceOf({ workspace_id, budget: noContent, children: false, scope: undefined, room: { left: 0 } }, run);
    },
  };
}
