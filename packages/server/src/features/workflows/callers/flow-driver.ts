import { createHash } from 'node:crypto';
import { AppError } from '@atrium/contract/errors.ts';
import type { RunEvent } from '@atrium/contract/runs/events.ts';
import { noUsage } from '@atrium/contract/runs/events.ts';
import type { WorkflowRun } from '@atrium/contract/workflows/schema.ts';
import { RunFailure } from '../../../execution/run-failure.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { FlowTurn } from '../../runs/ports.ts';
import type { Graph } from '../definition/graph.ts';
import type { GraphCache } from '../definition/graph-cache.ts';
import type { WorkflowRuns } from '../runs/workflow-runs.ts';
import type { Workflows } from '../service.ts';
import { graphEffectsOf, lookEvery, toolProgressOf } from './workflow-tools.ts';

export interface FlowDriverDeps {
  workflows: Pick<Workflows, 'find'>;
  graphs: GraphCache;
  runs: Pick<WorkflowRuns, 'startWithId' | 'settled' | 'get' | 'found' | 'stop'>;
}

/** Derives the id of the workflow run from the run of the conversation, so that it is the same at every attempt. */
function idFor(run_id: string): string {
  const digest = createHash('sha256').update(`flow ${run_id}`).digest('hex');
  // The id keeps the time part of the given id, so that lists stay in order.
  return `${run_id.slice(0, 13)}-8${digest.slice(0, 3)}-a${digest.slice(3, 6)}-${digest.slice(6, 18)}`;
}

/** The input of a flow for a turn: the message and the history; every input without a value gets the message. */
function inputFor(graph: Graph, { message, history, conversation_id }: FlowTurn): Record<string, unknown> {
  const input: Record<string, unknown> = { message, history, conversation_id };
  for (const node of graph.nodes.values()) {
    const open = node.type.inputs.length === 1 && node.type.inputs[0]?.type.endsWith('input');
    if (open && !node.config['fixed_value'] && node.type.type === 'InputNode') input[node.id] = message;
  }
  return input;
}

/** The texts that a flow has sent, in the order of its nodes. */
const saidIn = (run: WorkflowRun) =>
  Object.values(run.output ?? {}).flatMap((value) => {
    const { text } = value;
    return text ? [text] : [];
  });

/** The warnings of all nodes of a flow, each once. */
const warningsIn = ({ progress_details }: WorkflowRun) => {
  const warnings = Object.values(progress_details?.warnings ?? {}).flat();
  return [...new Map(warnings.map((warning) => [warning.message, warning])).values()];
};

/** The edges that a flow has passed, in order. */
function movesIn(run: WorkflowRun, graph: Graph) {
  const gone = Object.entries(run.progress_details?.per_edge_progress ?? {});
  const edges = new Map([...graph.nodes.values()].flatMap(({ outgoing }) => outgoing.map((edge) => [edge.id, edge])));
  const moves = new Map<string, { id: string; from: string; to: string }>();
  for (const [id, status] of gone) {
    const edge = edges.get(id);
    if (status !== 'completed' || !edge) continue;
    // Several edges may connect the same two nodes.
    const way = `${run.id}:${edge.from.id}:${edge.to.id}`;
    moves.set(way, { id: way, from: edge.from.label, to: edge.to.label });
  }
  return [...moves.values()];
}

/**
 * Answers a conversation by a workflow instead of the agent loop: each message starts a run, and its output is the
 * reply. A server that takes over the turn finds the same workflow run again.
 */
export function makeFlowDriver({ workflows, graphs, runs }: FlowDriverDeps) {
  async function flowOf(scope: Scope, id: string) {
    try {
      const workflow = await workflows.find(scope, id.toLowerCase());
      if (!workflow.valid)
        throw new RunFailure('workflow_invalid', 'The flow of this agent has faults and can not be run');
      return { workflow, graph: await graphs(scope.workspace_id, workflow.graph_id) };
    } catch (error) {
      if (error instanceof AppError && error.kind === 'not_found')
        throw new RunFailure('no_such_workflow', 'The flow of this agent is gone');
      throw error;
    }
  }

  return async function* drive(scope: Scope, turn: FlowTurn): AsyncGenerator<RunEvent> {
    const { run_id, message_id, progress, signal } = turn;
    const { workflow, graph } = await flowOf(scope, turn.flow_id);
    // The reply contains what the flow has read, and an agent that sends data out may read the reply.
    if (graphEffectsOf(graph).reads) await turn.note(['untrusted', 'private']);
    const since = Date.now();
    let { finish_reason } = progress;
    const id = idFor(run_id);
    const own = { ...scope, signal, brings: turn.brings, tool_types: turn.tool_types };
    if (progress.step === 0) yield { type: 'step-start', step: 1 };
    if (!progress.answered || progress.step === 0) {
      if (!(await runs.found(own, id))) {
        const body = { input: inputFor(graph, turn), tracing: false, debugger: false };
        await runs.startWithId(own, workflow.id, body, id).catch((error: unknown) => {
          throw error instanceof AppError ? new RunFailure(error.code, error.message) : error;
        });
      }
      let run = await runs.get(own, id);
      yield { type: 'workflow-progress', step: 1, progress: toolProgressOf(run, workflow.name, graph) };
      try {
        while (run.finished_at === null) {
          await runs.settled(own, id, lookEvery);
          signal.throwIfAborted();
          if (Date.now() > turn.deadline)
            throw new RunFailure('run_timeout', 'The run took longer than usage_limits_agent_timeout allows');
          const { status, progress: before } = run;
          run = await runs.get(own, id);
          if (run.finished_at === null && (run.status !== status || run.progress !== before))
            yield { type: 'workflow-progress', step: 1, progress: toolProgressOf(run, workflow.name, graph) };
          // A decision may take days; the deadline ends the wait too.
          if (run.status === 'awaiting_human_feedback') await new Promise((wake) => setTimeout(wake, 500));
        }
      } catch (error) {
        await runs.stop({ ...scope, signal: new AbortController().signal }, id);
        throw error;
      }
      yield { type: 'workflow-progress', step: 1, progress: toolProgressOf(run, workflow.name, graph) };
      for (const move of movesIn(run, graph)) yield { type: 'state-transition', step: 1, ...move };
      if (run.status !== 'completed')
        throw new RunFailure(run.error?.code ?? 'flow_stopped', run.error?.message ?? 'The flow was stopped');
      if (progress.said) yield { type: 'attempt-start', step: 1, attempt: 2, model: 'flow', discard: true };
      const text = saidIn(run).join('\n\n');
      const warned = warningsIn(run);
      if (text) yield { type: 'text-delta', step: 1, text };
      for (const { code, message } of warned) yield { type: 'warning', code, message };
      const cut = warned.some(({ code }) => code === 'reply_cut');
      finish_reason = cut ? 'length' : 'stop';
      yield { type: 'step-end', step: 1, finish_reason, model: 'flow', usage: noUsage, attempts: [] };
    }
    const ms = Date.now() - since;
    const metadata = { run_id, model: null, attempts: [], usage: noUsage, ms, warnings: [], finish_reason };
    yield { type: 'message-end', message_id, metadata };
    yield { type: 'run-end', status: 'completed', error: null };
  };
}
