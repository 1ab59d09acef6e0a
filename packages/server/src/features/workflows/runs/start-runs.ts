import {
  AppError,
  conflict,
  forbidden,
  InvalidRequest,
  notFound,
  type ValidationError,
} from '@atrium/contract/errors.ts';
import { allows } from '@atrium/contract/permissions.ts';
import { outputsOf } from '@atrium/contract/workflows/node-types/catalogue-entry.ts';
import type { RunCreate, WorkflowRun } from '@atrium/contract/workflows/schema.ts';
import { type Database, type Db, isDuplicate } from '../../../db/database.ts';
import type { Executor } from '../../../execution/executor.ts';
import { nestingFields, requireNestingDepth } from '../../../execution/nesting.ts';
import type { StoredPrincipal } from '../../../execution/run-queue.ts';
import { newId } from '../../../lib/ids.ts';
import { omit } from '../../../lib/omit.ts';
import { lacksPermission, type Scope } from '../../../lib/scope.ts';
import type { TriggerTarget } from '../../triggers/ports.ts';
import { wrong } from '../definition/check-definition.ts';
import type { Graph } from '../definition/graph.ts';
import type { GraphCache } from '../definition/graph-cache.ts';
import type { ReadSamples } from '../samples/step-samples.ts';
import type { Workflows } from '../service.ts';
import { checkRunInput } from './check-run-input.ts';
import * as store from './run-store.ts';

export interface RunStarter {
  /** Starts a run for an API call: missing, wrong-typed and unknown inputs are refused before it begins. */
  start(scope: Scope, workflow_id: string, body: RunCreate): Promise<WorkflowRun>;
  /** Starts a run for a trigger, an agent or another program part, which may bring values that the workflow does not take. */
  startWithId(scope: Scope, workflow_id: string, body: RunCreate, id: string): Promise<WorkflowRun>;
  /** Stores a run by `insert` and starts it at once if a slot is free; else it is queued. */
  begin(
    scope: Scope,
    insert: InsertRun,
    refused: () => Promise<Error>,
    write?: Database['write'],
  ): Promise<WorkflowRun>;
  /** The error for a workflow or version that cannot run. */
  reasonNotRunnable(scope: Scope, source: RunSource): Promise<Error>;
}

/** What a run executes: a version, the draft, or what is published. */
export interface RunSource {
  workflow_id: string;
  workflow_version_id: string | null;
  draft: boolean;
}

type InsertRun = (on: Db, node_id: string, status: 'queued' | 'running') => Promise<store.RunRow | undefined>;

export interface RunStarterDeps {
  db: Database;
  graphs: GraphCache;
  workflows: Workflows;
  executor: Executor<store.RunRow, undefined>;
  /** Refuses new work of a caller whose budget is used up. */
  requireBudget(scope: Scope): Promise<void>;
  readSamples: ReadSamples;
}

/** The caller of a run as it is stored with it. */
export const principalOf = (scope: Scope): StoredPrincipal => {
  const { tenant_id, home_workspace_id, actor, permissions, tenant_admin, brings = [], tool_types = [] } = scope;
  const { inherits, approved_reach } = scope;
  const given = {
    ...(brings.length > 0 && { brings }),
    ...(tool_types.length > 0 && { tool_types }),
    ...(inherits && { inherits }),
    ...(approved_reach !== undefined && { approved_reach }),
  };
  const carried = { ...nestingFields(scope), ...given };
  return { tenant_id, home_workspace_id, actor, permissions: [...permissions], tenant_admin, ...carried };
};

const internalColumns = ['graph_id', 'principal', 'stop_requested', 'last_seq', 'tokens_held', 'effects_of'] as const;

/** Drafts are for those who may edit the workflow. */
export function requireDraftAccess(scope: Scope): void {
  if (!allows(scope.permissions, 'flows_edit'))
    throw forbidden(`${lacksPermission(scope, 'flows_edit')}, which runs of a draft need`);
}

const sourceOf = (workflow_id: string, body: Pick<RunCreate, 'workflow_version_id' | 'draft'>): RunSource => ({
  workflow_id,
  workflow_version_id: body.workflow_version_id ?? null,
  draft: body.draft ?? false,
});

/** A run without what only the server reads. */
export const publicFields = (row: store.RunRow) => ({
  ...omit(row, internalColumns),
  kind: 'workflow' as const,
  hidden: null,
});

const unknownNode = (loc: string[], input: string): ValidationError => {
  const error = 'there is no such node in this workflow';
  return { loc, msg: `Value error, ${error}`, type: 'value_error', input, ctx: { error } };
};

function checkNodes({ nodes }: Graph, { node_ids = [], single_node_id }: RunCreate): ValidationError[] {
  const errors = node_ids.flatMap((id, index) =>
    nodes.has(id) ? [] : [unknownNode(['body', 'node_ids', String(index)], id)],
  );
  if (single_node_id !== undefined && !nodes.has(single_node_id))
    errors.push(unknownNode(['body', 'single_node_id'], single_node_id));
  return errors;
}

function checkPins({ nodes }: Graph, pinned: NonNullable<RunCreate['pinned_outputs']>): ValidationError[] {
  return Object.entries(pinned).flatMap(([id, outputs]) => {
    const type = nodes.get(id)?.type;
    if (!type || type.handles_errors) return [unknownNode(['body', 'pinned_outputs', id], id)];
    const known = new Set(outputsOf(type).map(({ name }) => name));
    return Object.keys(outputs).flatMap((name) => {
      if (known.has(name)) return [];
      const error = `${type.type} has no output ${name}`;
      const loc = ['body', 'pinned_outputs', id, name];
      return [{ loc, msg: `Value error, ${error}`, type: 'value_error', input: outputs[name], ctx: { error } }];
    });
  });
}

export function makeRunStarter({
  db,
  graphs,
  workflows,
  executor,
  requireBudget,
  readSamples,
}: RunStarterDeps): RunStarter {
  async function findGraph(scope: Scope, { workflow_id, workflow_version_id, draft }: RunSource) {
    if (workflow_version_id) return workflows.findVersion(scope, workflow_id, workflow_version_id);
    const workflow = await workflows.find(scope, workflow_id);
    if (!draft) return workflow;
    const { draft_graph_id: graph_id, draft_valid: valid } = workflow;
    if (graph_id === null) throw notFound('workflow draft');
    return { graph_id, valid };
  }

  async function reasonNotRunnable(scope: Scope, source: RunSource): Promise<Error> {
    await workflows.find(scope, source.workflow_id);
    const held = await findGraph(scope, source);
    if (held.valid) return conflict('The workflow was changed at this moment; try again');
    return conflict('This definition was stored with force and has faults: it can not be run', 'workflow_invalid');
  }

  async function checkRequest(scope: Scope, workflow_id: string, body: RunCreate): Promise<void> {
    const source = sourceOf(workflow_id, body);
    const held = await findGraph(scope, source);
    if (!held.valid) throw await reasonNotRunnable(scope, source);
    const graph = await graphs(scope.workspace_id, held.graph_id);
    const only = body.single_node_id === undefined ? body.node_ids : [body.single_node_id];
    const { pinned_outputs: pinned = {} } = body;
    const errors = [
      ...checkRunInput(graph, body.input, only, pinned),
      ...checkNodes(graph, body),
      ...checkPins(graph, pinned),
    ];
    if (errors.length) throw new InvalidRequest(errors);
  }

  /** A run of one step with the samples of the nodes that lead to it. */
  async function withSamples(scope: Scope, workflow_id: string, body: RunCreate): Promise<RunCreate> {
    const { single_node_id } = body;
    if (single_node_id === undefined)
      throw new InvalidRequest([wrong(['body', 'use_samples'], 'samples are for runs of a single_node_id', true)]);
    if (!allows(scope.permissions, 'flows_edit'))
      throw forbidden(`${lacksPermission(scope, 'flows_edit')}, which use_samples needs`);
    const held = await findGraph(scope, sourceOf(workflow_id, body));
    if (!held.valid) throw await reasonNotRunnable(scope, sourceOf(workflow_id, body));
    const { nodes } = await graphs(scope.workspace_id, held.graph_id);
    const samples = await readSamples(scope, workflow_id);
    const pinned = (nodes.get(single_node_id)?.incoming ?? []).flatMap(({ from }) => {
      const outputs = samples.get(from.id);
      // The node may have been changed since its sample was kept.
      const known = new Set(outputsOf(from.type).map(({ name }) => name));
      const kept = Object.entries(outputs ?? {}).filter(([name]) => known.has(name));
      return kept.length && !from.type.handles_errors ? [[from.id, Object.fromEntries(kept)]] : [];
    });
    return { ...body, pinned_outputs: { ...Object.fromEntries(pinned), ...body.pinned_outputs } };
  }

  const begin: RunStarter['begin'] = async (scope, insert, refused, write = db.write) => {
    await requireBudget(scope);
    // Another run waits for a nested one and holds a slot itself: a nested run that waited for a slot could block both.
    const isNested = (scope.depth ?? 0) > 0;
    const slot = isNested ? executor.takeExtraSlot(scope.workspace_id) : executor.takeSlot(scope.workspace_id);
    try {
      let run: store.RunRow | undefined;
      // The stored answer for the Idempotency-Key is this one.
      const answer = await write(scope, async (on) => {
        run = await insert(on, executor.node_id, slot ? 'running' : 'queued');
        if (!run) throw await refused();
        return publicFields(run);
      });
      if (run && slot) executor.start(run, slot);
      else await executor.notifyWaiting();
      return answer;
    } catch (error) {
      slot?.release();
      throw error;
    }
  };

  async function startWithId(scope: Scope, workflow_id: string, body: RunCreate, id: string): Promise<WorkflowRun> {
    requireNestingDepth(scope);
    const source = sourceOf(workflow_id, body);
    const run = {
      id,
      ...source,
      input: body.input,
      node_ids: body.node_ids ?? null,
      single_node_id: body.single_node_id ?? null,
      pinned_outputs: body.pinned_outputs ?? null,
      tracing: body.tracing || body.debugger,
      callback_url: body.callback_url ?? null,
      retry_of: null,
      effects_of: null,
      handles_run: null,
      principal: principalOf(scope),
    };
    return begin(
      scope,
      (on, node_id, status) => store.insertRun(on, scope.workspace_id, node_id, { ...run, status }),
      () => reasonNotRunnable(scope, source),
    );
  }

  return {
    async start(scope, workflow_id, body) {
      if (body.group_id !== undefined && body.group_id !== scope.workspace_id) throw notFound('workspace');
      // Pinned outputs can stand in for conditions and approvals, as an edit of the definition could.
      if (body.pinned_outputs && !allows(scope.permissions, 'flows_edit'))
        throw forbidden(`${lacksPermission(scope, 'flows_edit')}, which pinned_outputs needs`);
      if (body.draft) requireDraftAccess(scope);
      if (body.draft && body.workflow_version_id !== undefined)
        throw new InvalidRequest([wrong(['body', 'draft'], 'a run is of a version or of the draft', true)]);
      const request = body.use_samples ? await withSamples(scope, workflow_id, body) : body;
      await checkRequest(scope, workflow_id, request);
      return startWithId(scope, workflow_id, request, newId());
    },
    startWithId,
    begin,
    reasonNotRunnable,
  };
}

/** Starts a workflow for a trigger. The key of the start is the id of the run, so that every attempt starts the same run. */
export function makeWorkflowTarget(deps: {
  workflows: Pick<Workflows, 'exists' | 'find' | 'findVersion'>;
  graphs: GraphCache;
  runs: Pick<RunStarter, 'startWithId'> & { found(scope: Scope, id: string): Promise<unknown> };
}): TriggerTarget {
  const { workflows, runs, graphs } = deps;
  return {
    kind: 'workflow',
    exists: async (scope, id) => (await workflows.exists(scope, [id])).has(id),
    hasVersion: (scope, id, version_id) =>
      workflows.findVersion(scope, id, version_id).then(
        () => true,
        (error) => {
          if (error instanceof AppError && error.kind === 'not_found') return false;
          throw error;
        },
      ),

    /** A workflow that can't be run has no inputs to tell of: its faults stop it before. */
    async missingInputs(scope, { target_id, version_id }, input) {
      const held = version_id
        ? await workflows.findVersion(scope, target_id, version_id)
        : await workflows.find(scope, target_id);
      if (!held.valid) return [];
      const graph = await graphs(scope.workspace_id, held.graph_id);
      const errors = checkRunInput(graph, input, undefined);
      return errors.flatMap(({ type, loc }) => (type === 'missing' ? [loc.at(-1) ?? ''] : []));
    },

    async start(scope, { target_id, version_id, input, brings, key }) {
      if (await runs.found(scope, key)) return key;
      const body = { input, workflow_version_id: version_id ?? undefined, tracing: false, debugger: false };
      await runs.startWithId({ ...scope, brings }, target_id, body, key).catch((error) => {
        if (!isDuplicate(error)) throw error;
      });
      return key;
    },
  };
}
