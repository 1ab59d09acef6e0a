import { conflict, InvalidRequest, notFound, type ValidationError } from '@atrium/contract/errors.ts';
import { type Paged, pageAnswer, pageOf } from '@atrium/contract/page.ts';
import type { RunCreate, RunListQuery, WorkflowRun } from '@atrium/contract/workflows/schema.ts';
import type { Database, Db } from '../../../db/database.ts';
import type { Executor } from '../../../execution/executor.ts';
import { nestingFields, requireNestingDepth } from '../../../execution/nesting.ts';
import type { StoredPrincipal } from '../../../execution/run-queue.ts';
import { newId } from '../../../lib/ids.ts';
import { omit } from '../../../lib/omit.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { GraphCache } from '../definition/graph-cache.ts';
import type { Workflows } from '../service.ts';
import type { Journal } from './journal.ts';
import type { JournalEvent } from './journal-events.ts';
import { makeRunProgressReader } from './run-progress-reader.ts';
import * as store from './run-store.ts';

export interface WorkflowRuns {
  find(scope: Scope, id: string): Promise<store.RunRow>;
  found(scope: Scope, id: string): Promise<store.RunRow | undefined>;
  shown(row: store.RunRow): Promise<WorkflowRun>;
  start(scope: Scope, workflow_id: string, body: RunCreate, id?: string): Promise<WorkflowRun>;
  settled(scope: Scope, id: string, most?: number): Promise<void>;
  get(scope: Scope, id: string): Promise<WorkflowRun>;
  getOf(scope: Scope, workflow_id: string, id: string): Promise<WorkflowRun>;
  list(scope: Scope, workflow_id: string, query: RunListQuery): Promise<Paged<WorkflowRun>>;
  /** The newest runs of all workflows, or of one. */
  newest(
    scope: Scope,
    filter: store.RunFilter,
    window: { size: number; offset: number },
  ): Promise<{ total: number; items: WorkflowRun[] }>;
  /** Starts a run and waits for its end. The output is named by labels, or by the ids of its outputs. */
  sync(
    scope: Scope,
    workflow_id: string,
    body: RunCreate,
    by: { output_only: boolean; use_output_ids: boolean },
  ): Promise<WorkflowRun | Record<string, unknown>>;
  stop(scope: Scope, id: string): Promise<WorkflowRun>;
  /** Starts a new run that continues after the finished steps of this one; a completed run is repeated as a whole. */
  retry(scope: Scope, id: string): Promise<WorkflowRun>;
}

/** In milliseconds: a blocking call answers before usual clients give up. */
const longestWait = 118_000;

export interface WorkflowRunsDeps {
  db: Database;
  journal: Journal;
  graphs: GraphCache;
  workflows: Workflows;
  executor: Executor<store.RunRow, undefined>;
  /** Enqueues the callback of a run that ends in this transaction. */
  callback(tx: Db, run: store.RunRow): Promise<unknown>;
}

const principalOf = (scope: Scope): StoredPrincipal => {
  const { tenant_id, home_workspace_id, actor, permissions, tenant_admin, brings = [], tool_types = [] } = scope;
  const { inherits } = scope;
  const given = {
    ...(brings.length > 0 && { brings }),
    ...(tool_types.length > 0 && { tool_types }),
    ...(inherits && { inherits }),
  };
  const carried = { ...nestingFields(scope), ...given };
  return { tenant_id, home_workspace_id, actor, permissions: [...permissions], tenant_admin, ...carried };
};

const internalColumns = ['graph_id', 'principal', 'stop_requested', 'last_seq', 'tokens_held'] as const;

const unknownNode = (loc: string[], input: string): ValidationError => {
  const error = 'there is no such node in this workflow';
  return { loc, msg: `Value error, ${error}`, type: 'value_error', input, ctx: { error } };
};

export function makeWorkflowRuns({
  db,
  journal,
  graphs,
  workflows,
  executor,
  callback,
}: WorkflowRunsDeps): WorkflowRuns {
  const progressOf = makeRunProgressReader({ graphs, journal });

  async function find(scope: Scope, id: string): Promise<store.RunRow> {
    const row = await store.findRun(db, scope.workspace_id, id);
    if (!row) throw notFound('run');
    return row;
  }

  /** The answer for a run that was just started. */
  function fresh(row: store.RunRow): WorkflowRun {
    return { ...omit(row, internalColumns), kind: 'workflow' };
  }

  /** A run as callers see it. The progress of a run that is not over is computed from its journal. */
  async function shown(row: store.RunRow): Promise<WorkflowRun> {
    const progress = row.progress_details ? {} : await progressOf(row);
    return { ...omit(row, internalColumns), kind: 'workflow', ...progress };
  }

  /** The error for a workflow or version that cannot run. */
  async function reasonNotRunnable(scope: Scope, workflow_id: string, version_id: string | null): Promise<Error> {
    const workflow = await workflows.find(scope, workflow_id);
    const held = version_id ? await workflows.findVersion(scope, workflow_id, version_id) : workflow;
    if (held.valid) return conflict('The workflow was changed at this moment; try again');
    return conflict('This definition was stored with force and has faults: it can not be run', 'workflow_invalid');
  }

  async function checkNodes(scope: Scope, workflow_id: string, { node_ids, single_node_id, ...body }: RunCreate) {
    const workflow = await workflows.find(scope, workflow_id);
    const version = body.workflow_version_id;
    const held = version ? await workflows.findVersion(scope, workflow_id, version) : workflow;
    if (!held.valid) throw await reasonNotRunnable(scope, workflow_id, version ?? null);
    const { nodes } = await graphs(scope.workspace_id, held.graph_id);
    const validationErrors = (node_ids ?? []).flatMap((id, index) =>
      nodes.has(id) ? [] : [unknownNode(['body', 'node_ids', String(index)], id)],
    );
    if (single_node_id !== undefined && !nodes.has(single_node_id))
      validationErrors.push(unknownNode(['body', 'single_node_id'], single_node_id));
    if (validationErrors.length) throw new InvalidRequest(validationErrors);
  }

  type Begin = (on: Db, node_id: string, status: 'queued' | 'running') => Promise<store.RunRow | undefined>;

  /** Starts a run at once if a slot is free; else it is queued. */
  async function begin(
    scope: Scope,
    insert: Begin,
    refused: () => Promise<Error>,
    write: Database['write'] = db.write,
  ): Promise<WorkflowRun> {
    // Another run waits for a nested one and holds a slot itself: a nested run that waited for a slot could block both.
    const isNested = (scope.depth ?? 0) > 0;
    const slot = isNested ? executor.takeExtraSlot(scope.workspace_id) : executor.takeSlot(scope.workspace_id);
    try {
      let run: store.RunRow | undefined;
      // The stored answer for the Idempotency-Key is this one.
      const answer = await write(scope, async (on) => {
        run = await insert(on, executor.node_id, slot ? 'running' : 'queued');
        if (!run) throw await refused();
        return fresh(run);
      });
      if (run && slot) executor.start(run, slot);
      else await executor.notifyWaiting();
      return answer;
    } catch (error) {
      slot?.release();
      throw error;
    }
  }

  async function start(scope: Scope, workflow_id: string, body: RunCreate, id = newId()): Promise<WorkflowRun> {
    requireNestingDepth(scope);
    if (body.group_id !== undefined && body.group_id !== scope.workspace_id) throw notFound('workspace');
    if (body.node_ids || body.single_node_id !== undefined) await checkNodes(scope, workflow_id, body);
    const workflow_version_id = body.workflow_version_id ?? null;
    const run = {
      id,
      workflow_id,
      workflow_version_id,
      input: body.input,
      node_ids: body.node_ids ?? null,
      single_node_id: body.single_node_id ?? null,
      tracing: body.tracing || body.debugger,
      callback_url: body.callback_url ?? null,
      retry_of: null,
      handles_run: null,
      principal: principalOf(scope),
    };
    return begin(
      scope,
      (on, node_id, status) => store.insertRun(on, scope.workspace_id, node_id, { ...run, status }),
      () => reasonNotRunnable(scope, workflow_id, workflow_version_id),
    );
  }

  /** Resolves when the run is over or waits for an approval, or after the longest wait. */
  async function settled(scope: Scope, id: string, most = longestWait): Promise<void> {
    const enough = AbortSignal.any([scope.signal, AbortSignal.timeout(most)]);
    const left = new Promise<void>((resolve) => enough.addEventListener('abort', () => resolve(), { once: true }));
    await Promise.race([executor.whenReleased(id), left]);
    const run = await find(scope, id);
    if (enough.aborted || run.finished_at !== null || run.status === 'awaiting_human_feedback') return;
    for await (const _ of journal.follow(scope.workspace_id, id, enough, run.last_seq));
  }

  /**
   * The finished steps of a run, for a retry. Failed steps, and those that were skipped because of them, are left
   * out.
   */
  const finished = (events: readonly JournalEvent[]): JournalEvent[] => [
    { type: 'run-start' },
    ...events.filter(
      (event) =>
        event.type === 'enter' ||
        (event.type === 'end' && (event.status === 'completed' || (event.status === 'failed' && event.outputs))),
    ),
  ];

  return {
    find,
    found: (scope: Scope, id: string) => store.findRun(db, scope.workspace_id, id),
    shown,
    start,
    settled,

    get: async (scope: Scope, id: string) => shown(await find(scope, id)),

    async getOf(scope: Scope, workflow_id: string, id: string): Promise<WorkflowRun> {
      const row = await find(scope, id);
      if (row.workflow_id !== workflow_id) throw notFound('run');
      return shown(row);
    },

    async list(scope: Scope, workflow_id: string, query: RunListQuery): Promise<Paged<WorkflowRun>> {
      await workflows.find(scope, workflow_id);
      const window = pageOf(query);
      const { status } = query;
      const { rows, total } = await store.listRuns(db, scope.workspace_id, { status, workflow_id }, window);
      return pageAnswer(await Promise.all(rows.map(shown)), total, window);
    },

    async newest(scope: Scope, filter: store.RunFilter, window: { size: number; offset: number }) {
      const { rows, total } = await store.listRuns(db, scope.workspace_id, filter, window);
      const { workflow_id } = filter;
      if (total === 0 && workflow_id && !(await store.hasWorkflow(db, scope.workspace_id, workflow_id)))
        throw notFound('workflow');
      return { total, items: await Promise.all(rows.map(shown)) };
    },

    async sync(
      scope: Scope,
      workflow_id: string,
      body: RunCreate,
      by: { output_only: boolean; use_output_ids: boolean },
    ) {
      // The idempotent answer of this request is that at the end of the run, so the start stores none.
      const { idempotency: _, ...own } = scope;
      const { id } = await start(own, workflow_id, body);
      await settled(scope, id);
      const run = await shown(await find(scope, id));
      const output = by.use_output_ids ? run.output : outputByLabel(run.output);
      if (!by.output_only) return { ...run, output };
      // A client that asks for the output alone must not take an empty answer for one.
      return output ?? Promise.reject(withoutOutput(run));
    },

    async stop(scope: Scope, id: string): Promise<WorkflowRun> {
      const run = await find(scope, id);
      if (run.finished_at === null) {
        // A run that no node executes is ended here, together with its callback.
        const ended = await db.transaction(undefined, async (tx) => {
          const event = { type: 'run-end', status: 'stopped', error: null } as const;
          const idle = await store.stopIdle(tx, scope.workspace_id, id, event);
          if (idle && run.callback_url !== null) await callback(tx, run);
          return idle;
        });
        if (ended) journal.tell(id);
        else await executor.stop(scope.workspace_id, id);
      }
      return shown(await find(scope, id));
    },

    async retry(scope: Scope, id: string): Promise<WorkflowRun> {
      const old = await find(scope, id);
      if (old.finished_at === null) throw conflict('The run is not over yet; stop it or wait', 'run_in_progress');
      const batches = await journal.all(scope.workspace_id, id);
      const events = finished(batches.flatMap((batch) => batch.events));
      const { workflow_id, workflow_version_id, input, node_ids, single_node_id, tracing, callback_url } = old;
      const anew = old.status === 'completed';
      const run = {
        ...{ workflow_id, workflow_version_id, input, node_ids, single_node_id, tracing, callback_url },
        id: newId(),
        // Effects are stored under the first of several retries. A completed run is repeated with all its effects.
        retry_of: anew ? null : (old.retry_of ?? old.id),
        handles_run: old.handles_run,
        // The retry acts for the caller, on the input of the first run: its taint, tool types and inherited settings
        // stay.
        principal: principalOf({
          ...scope,
          brings: old.principal.brings ?? [],
          tool_types: old.principal.tool_types ?? [],
          ...(old.principal.inherits && { inherits: old.principal.inherits }),
        }),
      };
      const whole = anew ? [] : events;
      return begin(
        scope,
        async (on, node_id, status) => {
          const row = await store.insertRun(on, scope.workspace_id, node_id, { ...run, status }, old.graph_id);
          if (row && whole.length) await store.copyJournal(on, scope.workspace_id, id, run.id, whole);
          return row && { ...row, last_seq: whole.length };
        },
        () => reasonNotRunnable(scope, workflow_id, workflow_version_id),
        // In one transaction: without the finished steps the new run would repeat them.
        db.transaction,
      );
    },
  };
}

/** The error for a run without an output; it names the run. */
function withoutOutput({ id, status, error }: WorkflowRun): Error {
  if (status === 'failed') {
    const where = error?.node_id ? ` at the node ${error.node_id}` : '';
    return conflict(`The run ${id} failed${where} (${error?.code}): ${error?.message}`, 'run_failed');
  }
  if (status === 'stopped') return conflict(`The run ${id} was stopped`, 'run_stopped');
  if (status === 'awaiting_human_feedback')
    return conflict(`The run ${id} waits for an approval: GET /v1/runs/${id}/approvals`, 'awaiting_human_feedback');
  return conflict(`The run ${id} is not over yet: GET /v1/runs/${id}`, 'run_in_progress');
}

/** The output by the labels of its nodes; of two equal labels the second gets a number. */
export function outputByLabel(output: WorkflowRun['output']): WorkflowRun['output'] {
  if (!output) return null;
  const named: NonNullable<WorkflowRun['output']> = {};
  for (const value of Object.values(output)) {
    const { label } = value;
    let name = label;
    for (let count = 2; Object.hasOwn(named, name); count++) name = `${label} (${count})`;
    named[name] = value;
  }
  return named;
}
