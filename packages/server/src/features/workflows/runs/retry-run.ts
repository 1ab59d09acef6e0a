import { conflict } from '@atrium/contract/errors.ts';
import type { RunRetry } from '@atrium/contract/runs/schema.ts';
import type { WorkflowRun } from '@atrium/contract/workflows/schema.ts';
import type { Database } from '../../../db/database.ts';
import { newId } from '../../../lib/ids.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { GraphCache } from '../definition/graph-cache.ts';
import { NodeFailure } from '../nodes/node-failure.ts';
import type { Workflows } from '../service.ts';
import type { Journal } from './journal.ts';
import type { JournalEvent } from './journal-events.ts';
import { retainSteps } from './retained-steps.ts';
import * as store from './run-store.ts';
import { principalOf, type RunStarter, requireDraftAccess } from './start-runs.ts';

export interface RunRetryDeps {
  db: Database;
  journal: Pick<Journal, 'all'>;
  graphs: GraphCache;
  workflows: Pick<Workflows, 'find' | 'currentGraph'>;
  starter: Pick<RunStarter, 'begin' | 'reasonNotRunnable'>;
}

/** Retries a run as a new one, with the definition that it had or with the current one. */
export function makeRunRetry({ db, journal, graphs, workflows, starter }: RunRetryDeps) {
  /** The run of a draft takes the draft as it is now, or what is published once there is none any more. */
  async function currentSource(scope: Scope, { workflow_id, ...old }: store.RunRow) {
    const workflow = await workflows.find(scope, workflow_id);
    const { draft_graph_id } = workflow;
    return old.draft && draft_graph_id !== null
      ? { draft: true, graph_id: draft_graph_id, valid: workflow.draft_valid }
      : { draft: false, graph_id: workflow.graph_id, valid: workflow.valid };
  }

  async function checkCurrent(
    scope: Scope,
    { workflow_id, node_ids, single_node_id }: store.RunRow,
    { draft, graph_id, valid }: { draft: boolean; graph_id: string; valid: boolean },
  ): Promise<void> {
    if (!valid) throw await starter.reasonNotRunnable(scope, { workflow_id, workflow_version_id: null, draft });
    const { nodes } = await graphs(scope.workspace_id, graph_id);
    const missing = [...(node_ids ?? []), ...(single_node_id ? [single_node_id] : [])].find((id) => !nodes.has(id));
    if (missing !== undefined)
      throw conflict(`The workflow has no node ${missing} any more; start a new run`, 'node_missing');
  }

  /** Undefined for a workflow that cannot run: the step then fails with the reason. */
  const nestedGraph = (scope: Scope, workflow_id: string, version_id: string | null) =>
    workflows.currentGraph(scope, workflow_id, version_id).catch((error: unknown) => {
      if (error instanceof NodeFailure) return undefined;
      throw error;
    });

  async function stepsToKeep(scope: Scope, old: store.RunRow, graph_id: string, version: RunRetry['version']) {
    const events = (await journal.all(scope.workspace_id, old.id)).flatMap((batch) => batch.events);
    const graph = (id: string) => graphs(scope.workspace_id, id);
    const before = await graph(old.graph_id);
    const after = graph_id === old.graph_id ? before : await graph(graph_id);
    return retainSteps(
      events,
      { before, after },
      {
        graph,
        nestedGraph: async ({ config }, { workflow_id, graph_id: own }) =>
          version === 'current'
            ? nestedGraph(scope, workflow_id, (config['version_id'] as string | undefined) ?? null)
            : own,
      },
    );
  }

  return async (scope: Scope, old: store.RunRow, version: RunRetry['version']): Promise<WorkflowRun> => {
    if (old.finished_at === null) throw conflict('The run is not over yet; stop it or wait', 'run_in_progress');
    const isCurrent = version === 'current';
    const current = isCurrent ? await currentSource(scope, old) : undefined;
    const { draft, graph_id } = current ?? old;
    if (draft) requireDraftAccess(scope);
    if (current) await checkCurrent(scope, old, current);
    // A completed run is repeated as a whole.
    const isAnew = old.status === 'completed';
    const events: JournalEvent[] = isAnew ? [] : await stepsToKeep(scope, old, graph_id, version);
    const { workflow_id, input, node_ids, single_node_id, pinned_outputs, tracing, callback_url, handles_run } = old;
    const workflow_version_id = isCurrent ? null : old.workflow_version_id;
    const run = {
      ...{
        workflow_id,
        workflow_version_id,
        draft,
        input,
        node_ids,
        single_node_id,
        pinned_outputs,
        tracing,
        callback_url,
      },
      id: newId(),
      retry_of: isAnew ? null : (old.retry_of ?? old.id),
      // A step of a changed definition must not find the effect of the old one under its key.
      effects_of: isAnew || graph_id !== old.graph_id ? null : (old.effects_of ?? old.id),
      handles_run,
      // The retry acts for the caller, on the input of the first run: its taint, tool types and inherited settings
      // stay.
      principal: principalOf({
        ...scope,
        brings: old.principal.brings ?? [],
        tool_types: old.principal.tool_types ?? [],
        ...(old.principal.inherits && { inherits: old.principal.inherits }),
      }),
    };
    return starter.begin(
      scope,
      async (on, node_id, status) => {
        const row = await store.insertRun(on, scope.workspace_id, node_id, { ...run, status }, graph_id);
        if (row && events.length) await store.copyJournal(on, scope.workspace_id, old.id, run.id, events);
        return row && { ...row, last_seq: events.length };
      },
      () => starter.reasonNotRunnable(scope, { workflow_id, workflow_version_id, draft }),
      // In one transaction: without the finished steps the new run would repeat them.
      db.transaction,
    );
  };
}
