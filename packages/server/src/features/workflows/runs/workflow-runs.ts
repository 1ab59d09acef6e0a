import { conflict, forbidden, notFound } from '@atrium/contract/errors.ts';
import { type Facets, type Paged, type PageWindow, pageAnswer, pageOf } from '@atrium/contract/page.ts';
import type { RunSort } from '@atrium/contract/runs/run-figures.ts';
import type { RunRetry } from '@atrium/contract/runs/schema.ts';
import type { RunCreate, RunListQuery, WorkflowRun } from '@atrium/contract/workflows/schema.ts';
import type { Database, Db } from '../../../db/database.ts';
import { cutPage } from '../../../db/read-page.ts';
import type { Executor } from '../../../execution/executor.ts';
import { required } from '../../../lib/required.ts';
import { recordOwner, type Scope } from '../../../lib/scope.ts';
import { accessToRun, type FindHiddenRuns, type RunAccess, runReach } from '../../ownership/service.ts';
import type { GraphCache } from '../definition/graph-cache.ts';
import type { ReadSamples } from '../samples/step-samples.ts';
import type { Workflows } from '../service.ts';
import type { Journal } from './journal.ts';
import { makeRunRetry } from './retry-run.ts';
import { outlineOf, withoutOutputs } from './run-outline.ts';
import { makeRunProgressReader } from './run-progress-reader.ts';
import * as store from './run-store.ts';
import { makeRunStarter, publicFields, type RunStarter } from './start-runs.ts';

export interface WorkflowRuns extends Pick<RunStarter, 'start' | 'startWithId'> {
  find(scope: Scope, id: string): Promise<store.RunRow>;
  /** A run as this caller sees it. */
  present(scope: Scope, row: store.RunRow, access: RunAccess): Promise<WorkflowRun>;
  /** Refuses a caller who may not see what the steps of a run have made. */
  requireContent(scope: Scope, row: store.RunRow): Promise<void>;
  /** What the caller sees of a run; undefined: nothing, or there is no such run. */
  access(scope: Scope, id: string): Promise<RunAccess | undefined>;
  found(scope: Scope, id: string): Promise<store.RunRow | undefined>;
  shown(row: store.RunRow): Promise<WorkflowRun>;
  settled(scope: Scope, id: string, most?: number): Promise<void>;
  get(scope: Scope, id: string): Promise<WorkflowRun>;
  getOf(scope: Scope, workflow_id: string, id: string): Promise<WorkflowRun>;
  list(scope: Scope, workflow_id: string, query: RunListQuery): Promise<Paged<WorkflowRun>>;
  /** The first runs of all workflows, or of one, in this order. */
  newest(
    scope: Scope,
    filter: store.RunFilter,
    sort: RunSort,
    window: PageWindow,
  ): Promise<{ total: number; items: WorkflowRun[]; facets?: Facets }>;
  /** Starts a run and waits for its end. The output is named by labels, or by the ids of its outputs. */
  sync(
    scope: Scope,
    workflow_id: string,
    body: RunCreate,
    by: { output_only: boolean; use_output_ids: boolean },
  ): Promise<WorkflowRun | Record<string, unknown>>;
  stop(scope: Scope, id: string): Promise<WorkflowRun>;
  /** Starts a new run that continues after the finished steps of this one; a completed run is repeated as a whole. */
  retry(scope: Scope, id: string, version: RunRetry['version']): Promise<WorkflowRun>;
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
  /** Refuses new work of a caller whose budget is used up. */
  requireBudget(scope: Scope): Promise<void>;
  readSamples: ReadSamples;
  findHiddenRuns: FindHiddenRuns;
}

export function makeWorkflowRuns({
  db,
  journal,
  graphs,
  workflows,
  executor,
  callback,
  requireBudget,
  readSamples,
  findHiddenRuns,
}: WorkflowRunsDeps): WorkflowRuns {
  const progressOf = makeRunProgressReader({ graphs, journal });
  const starter = makeRunStarter({ db, graphs, workflows, executor, requireBudget, readSamples });
  const { start, startWithId } = starter;
  const retry = makeRunRetry({ db, journal, graphs, workflows, starter });

  async function find(scope: Scope, id: string): Promise<store.RunRow> {
    const row = await store.findRun(db, scope.workspace_id, id);
    if (!row) throw notFound('run');
    return row;
  }

  /** A run as callers see it. The progress of a run that is not over is computed from its journal. */
  async function shown(row: store.RunRow): Promise<WorkflowRun> {
    const progress = row.progress_details ? {} : await progressOf(row);
    return { ...publicFields(row), ...progress };
  }
  const isOwn = (scope: Scope, { principal }: store.RunRow) =>
    isPerson(principal) && recordOwner(principal) === recordOwner(scope);
  const isPerson = ({ actor }: store.RunRow['principal']) => actor.kind === 'person' || actor.kind === 'api_key';

  /** Of these runs, those whose outputs the caller may not see. Who started a run has seen them already. */
  const hiddenOf = (scope: Scope, rows: readonly store.RunRow[]) =>
    findHiddenRuns(
      scope,
      rows.filter((row) => !isOwn(scope, row)).map(({ id }) => id),
    );

  /** Names the run of another owner to the access log, where a wide permission shows it. */
  function noteWideRead(scope: Scope, row: store.RunRow): void {
    const owner_id = isPerson(row.principal) ? recordOwner(row.principal) : null;
    if (owner_id !== null && !isOwn(scope, row) && runReach(scope) === undefined)
      scope.noteRead?.({ kind: 'run', id: row.id, owner_id });
  }

  async function shownTo(scope: Scope, rows: readonly store.ListedRun[]): Promise<WorkflowRun[]> {
    const hidden = await hiddenOf(scope, rows);
    return Promise.all(
      rows.map(async ({ readable, ...row }) => {
        if (!readable) return outlineOf(row);
        const run = await shown(row);
        return hidden.has(row.id) ? withoutOutputs(run) : run;
      }),
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

  return {
    find,
    found: (scope: Scope, id: string) => store.findRun(db, scope.workspace_id, id),
    shown,
    start,
    startWithId,
    settled,

    access: (scope, id) => accessToRun(db, scope, id),

    async present(scope, row, access) {
      noteWideRead(scope, row);
      return required((await shownTo(scope, [{ ...row, readable: access === 'whole' }]))[0]);
    },

    requireContent: async (scope, row) => {
      noteWideRead(scope, row);
      if ((await hiddenOf(scope, [row])).size)
        throw forbidden('The run has read documents that you may not read; its steps are hidden');
    },

    get: async (scope: Scope, id: string) => shown(await find(scope, id)),

    async getOf(scope: Scope, workflow_id: string, id: string): Promise<WorkflowRun> {
      const row = await find(scope, id);
      const access = await accessToRun(db, scope, id);
      if (row.workflow_id !== workflow_id || access === undefined) throw notFound('run');
      noteWideRead(scope, row);
      return required((await shownTo(scope, [{ ...row, readable: access === 'whole' }]))[0]);
    },

    async list(scope: Scope, workflow_id: string, query: RunListQuery): Promise<Paged<WorkflowRun>> {
      await workflows.find(scope, workflow_id);
      const window = pageOf(query);
      const { status, created_after, created_before } = query;
      const reach = { ...window, size: window.offset + window.size + 1, offset: 0 };
      const filter = { status, workflow_id, created_after, created_before, reach: runReach(scope) };
      const { rows, total } = await store.listRuns(db, scope.workspace_id, filter, '-created_at', reach);
      const { page, last } = cutPage(rows, window);
      return pageAnswer(await shownTo(scope, page), total, window, last);
    },

    async newest(scope, filter, sort, window) {
      const own = { ...filter, reach: runReach(scope) };
      const { rows, total, facets } = await store.listRuns(db, scope.workspace_id, own, sort, window);
      const { workflow_id } = filter;
      if (total === 0 && workflow_id && !(await store.hasWorkflow(db, scope.workspace_id, workflow_id)))
        throw notFound('workflow');
      return { total, items: await shownTo(scope, rows), ...(facets && { facets }) };
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

    retry: async (scope, id, version) => retry(scope, await find(scope, id), version),
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
