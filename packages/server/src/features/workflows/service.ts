import { notFound } from '@atrium/contract/errors.ts';
import { type Paged, pageAnswer, pageOf } from '@atrium/contract/page.ts';
import { allows } from '@atrium/contract/permissions.ts';
import type {
  VersionCreate,
  VersionPatch,
  WorkflowCreate,
  WorkflowListQuery,
  WorkflowPatch,
} from '@atrium/contract/workflows/schema.ts';
import type { WorkflowCheck, WorkflowValidate } from '@atrium/contract/workflows/trial-schema.ts';
import type { Database, Db } from '../../db/database.ts';
import { newId } from '../../lib/ids.ts';
import { omit } from '../../lib/omit.ts';
import { pick } from '../../lib/pick.ts';
import type { Scope } from '../../lib/scope.ts';
import { withActor, withActors } from '../actors/service.ts';
import { withWarnings } from '../settings/service.ts';
import { makeWorkflowChecks } from './definition/check-workflow.ts';
import { emptyDefinition } from './definition/definition-shape.ts';
import { type DefinitionSaver, isOther, mergeDefinition, over, placeError } from './definition/save-definition.ts';
import { setDraftValid } from './drafts/draft-store.ts';
import { insertDraftGraph, readDraft } from './drafts/save-draft.ts';
import { NodeFailure } from './nodes/node-failure.ts';
import * as store from './store.ts';

export { workflowNames } from './store.ts';

/** `force` stores validation errors too; `preview`: whether the definition becomes the draft, undefined as the workflow has it. */
export interface SaveOptions {
  force: boolean;
  preview?: boolean | undefined;
}

export interface Workflows {
  find(scope: Scope, id: string, on?: Db, lock?: boolean): Promise<store.WorkflowRow>;
  findVersion(scope: Scope, workflow_id: string, id: string, on?: Db, lock?: boolean): Promise<store.VersionRow>;
  /** With the name of the caller that saved it last, and warnings of what it names and is gone. */
  get(scope: Scope, id: string): Promise<store.WorkflowRow>;
  /** Creates a workflow with the same definition; the caller answers for it, as for one that it creates. */
  duplicate(scope: Scope, id: string, name: string | undefined): Promise<store.WorkflowRow>;
  list(scope: Scope, query: WorkflowListQuery): Promise<Paged<store.WorkflowRow>>;
  /** Checks a definition as a save does; stores nothing. */
  validate(scope: Scope, body: WorkflowValidate): Promise<WorkflowCheck>;
  create(scope: Scope, body: WorkflowCreate, force: boolean): Promise<store.WorkflowRow>;
  /** Changes a workflow. The definition is published, or becomes the draft; `preview` and `drafts` of the workflow decide. */
  update(scope: Scope, id: string, body: WorkflowPatch, how: SaveOptions): Promise<store.WorkflowRow>;
  remove(scope: Scope, id: string): Promise<void>;
  restore(scope: Scope, id: string): Promise<void>;
  versions(scope: Scope, workflow_id: string): Promise<store.VersionRow[]>;
  version(scope: Scope, workflow_id: string, id: string): Promise<store.VersionRow>;
  /** Stores a version of the given definition, or of the workflow as it is now. */
  createVersion(scope: Scope, workflow_id: string, body: VersionCreate, force: boolean): Promise<store.VersionRow>;
  updateVersion(
    scope: Scope,
    workflow_id: string,
    id: string,
    body: VersionPatch,
    force: boolean,
  ): Promise<store.VersionRow>;
  /** The current graph of a workflow or version, for a run inside of another. Throws NodeFailure when it cannot run. */
  currentGraph(scope: Scope, workflow_id: string, version_id: string | null): Promise<string>;
  /** The error handler of a workflow; undefined when it has none. */
  handlerOf(on: Db, scope: Scope, id: string): Promise<string | undefined>;
  /** The workflows whose definition, now or in one of their versions, matches a pattern of text. */
  byMention(scope: Scope, pattern: string, limit: number): Promise<{ id: string; name: string }[]>;
  /** The workflows that use a variable, now or in one of their versions. */
  byVariable(scope: Scope, name: string, pattern: string, limit: number): Promise<{ id: string; name: string }[]>;
  /** Those of the ids that are workflows. Empty for callers without `flows_run`: they cannot give an agent a workflow. */
  exists(scope: Scope, ids: string[]): Promise<Set<string>>;
  /** Names of workflows and workflows by name, for agents that are exported and imported. */
  lookup: {
    names(scope: Scope, ids: string[]): Promise<Map<string, string>>;
    byName(scope: Scope, names: string[]): Promise<{ id: string; name: string }[]>;
  };
}

/** What the audit log says of a workflow: its graph only by the number of its parts. */
export const auditedFields = (row: store.WorkflowRow) => ({
  ...pick(row, ['name', 'type', 'valid', 'error_handler', 'drafts', 'draft_at']),
  definition: JSON.parse(row.definition) as Record<string, unknown>,
});
export const targetOf = ({ id, name }: store.WorkflowRow) => ({ kind: 'workflow', id, name });

export function makeWorkflowService({ db, saver }: { db: Database; saver: DefinitionSaver }): Workflows {
  const { requireReadable, check, insertGraph, errorsOf } = saver;
  const { checkHandler, storedIn, checkDraft } = makeWorkflowChecks({ db, saver });

  async function find(scope: Scope, id: string, on: Db = db, lock = false): Promise<store.WorkflowRow> {
    const row = await store.findWorkflow(on, scope.workspace_id, id, lock);
    if (!row) throw notFound('workflow');
    return row;
  }

  async function findVersion(scope: Scope, workflow_id: string, id: string, on: Db = db, lock = false) {
    const row = await store.findVersion(on, scope.workspace_id, workflow_id, id, lock);
    if (!row) throw notFound('workflow version');
    return withActor(on, scope, row, 'created_by');
  }

  async function create(scope: Scope, body: WorkflowCreate, force: boolean, copied?: store.WorkflowRow) {
    const definition = body.definition ? over(emptyDefinition, body.definition) : emptyDefinition;
    const stored = copied && { definitions: [definition], isCopy: true };
    const { valid, warnings } = await check(scope, body.type, definition, force, stored);
    await requireReadable(scope, definition);
    await checkHandler(scope, body.error_handler, copied?.error_handler);
    const id = newId();
    return db.transaction(scope, async (tx) => {
      const graph_id = await insertGraph(tx, scope, definition);
      const { name, type, drafts, error_handler = null } = body;
      await store.insertWorkflow(tx, scope.workspace_id, { id, name, type, graph_id, valid, error_handler, drafts });
      const made = await find(scope, id, tx);
      scope.audit?.note({ after: auditedFields(made), target: targetOf(made) });
      return withWarnings(await withActor(tx, scope, made, 'updated_by', 'draft_by'), warnings);
    });
  }

  const service: Workflows = {
    find,
    findVersion,

    async get(scope, id) {
      const found = await withActor(db, scope, await find(scope, id), 'updated_by', 'draft_by');
      const handler = found.error_handler ?? undefined;
      const warnings = [
        ...(await saver.warnOfGone(scope, JSON.parse(found.definition))),
        ...(allows(scope.permissions, 'flows_edit') ? await checkHandler(scope, handler, handler, []) : []),
      ];
      return withWarnings(found, warnings);
    },

    async duplicate(scope, id, name) {
      const copied = await find(scope, id);
      const { name: original, type, definition, error_handler, valid, drafts } = copied;
      const copy = { name: name ?? `Copy of ${original}`.slice(0, 500), type, definition: JSON.parse(definition) };
      const made = await create(scope, { ...copy, drafts, ...(error_handler && { error_handler }) }, !valid, copied);
      return service.get(scope, made.id);
    },

    async list(
      scope: Scope,
      { type, deleted = false, view, ...query }: WorkflowListQuery,
    ): Promise<Paged<store.WorkflowRow>> {
      const window = pageOf(query);
      const { rows, total, last } = await store.listWorkflows(
        db,
        scope.workspace_id,
        { ...query, type, deleted, summary: view === 'summary' },
        window,
      );
      return pageAnswer(await withActors(db, scope, rows, 'updated_by', 'draft_by'), total, window, last);
    },

    async validate(scope, { type, definition: given }) {
      const definition = over(emptyDefinition, given);
      const { shape, validationErrors, dangling } = await errorsOf(scope, type, definition);
      if (shape.length === 0) await requireReadable(scope, definition);
      const errors = [...shape, ...validationErrors, ...dangling];
      return { valid: errors.length === 0, errors: errors.map((error) => placeError(error, definition)) };
    },

    create: (scope, body, force) => create(scope, body, force),

    async update(scope, id, body, { force, preview }) {
      const seen = await find(scope, id);
      const handled = await checkHandler(scope, body.error_handler, seen.error_handler);
      const { type = seen.type, drafts = seen.drafts } = body;
      const isDraft = preview ?? drafts;
      const stored = isDraft ? await readDraft(db, scope, seen) : seen;
      const definition = mergeDefinition(stored.definition, body.definition);
      const published = isDraft ? undefined : definition;
      const drafted = isDraft ? definition : undefined;
      const checked = published ?? (type === seen.type ? undefined : JSON.parse(seen.definition));
      const { valid, warnings } = checked
        ? await check(scope, type, checked, force, await storedIn(scope, seen))
        : { valid: seen.valid, warnings: [] };
      const { valid: draft_valid, warnings: draftWarnings } = await checkDraft(scope, seen, type, drafted);
      if (definition && isOther(definition, stored)) await requireReadable(scope, definition);
      return db.transaction(scope, async (tx) => {
        const before = await find(scope, id, tx, true);
        const graph_id = published ? await insertGraph(tx, scope, published, before) : before.graph_id;
        const { name = before.name } = body;
        const error_handler = body.error_handler === undefined ? before.error_handler : body.error_handler || null;
        await store.updateWorkflow(tx, scope.workspace_id, { id, name, type, graph_id, valid, error_handler, drafts });
        if (published) await store.replaceGraph(tx, scope.workspace_id, before.graph_id);
        if (drafted) await insertDraftGraph(tx, scope, saver, before, drafted);
        await setDraftValid(tx, scope.workspace_id, id, draft_valid);
        const after = await find(scope, id, tx);
        scope.audit?.note({ before: auditedFields(before), after: auditedFields(after), target: targetOf(after) });
        const updated = await withActor(tx, scope, after, 'updated_by', 'draft_by');
        return withWarnings(updated, [...handled, ...warnings, ...draftWarnings]);
      });
    },

    async remove(scope: Scope, id: string): Promise<void> {
      await db.write(scope, async (tx) => {
        if (!(await store.deleteWorkflow(tx, scope.workspace_id, id))) throw notFound('workflow');
      });
    },

    async restore(scope: Scope, id: string): Promise<void> {
      const deleted = await store.findDeleted(db, scope.workspace_id, id);
      if (deleted) await requireReadable(scope, JSON.parse(deleted.definition));
      await db.write(scope, async (tx) => {
        if (!(await store.restoreWorkflow(tx, scope.workspace_id, id))) await find(scope, id, tx);
      });
    },

    async versions(scope: Scope, workflow_id: string): Promise<store.VersionRow[]> {
      await find(scope, workflow_id);
      return withActors(db, scope, await store.listVersions(db, scope.workspace_id, workflow_id), 'created_by');
    },

    async version(scope: Scope, workflow_id: string, id: string): Promise<store.VersionRow> {
      await find(scope, workflow_id);
      const row = await findVersion(scope, workflow_id, id);
      return withWarnings(row, await saver.warnOfGone(scope, JSON.parse(row.definition)));
    },

    async createVersion(scope: Scope, workflow_id: string, body: VersionCreate, force: boolean) {
      const workflow = await find(scope, workflow_id);
      const definition = mergeDefinition(workflow.definition, body.definition);
      const { valid, warnings } = definition
        ? await check(scope, workflow.type, definition, force, await storedIn(scope, workflow))
        : { valid: workflow.valid, warnings: await saver.warnOfGone(scope, JSON.parse(workflow.definition)) };
      await requireReadable(scope, definition ?? JSON.parse(workflow.definition));
      const id = newId();
      return db.transaction(scope, async (tx) => {
        const graph_id = await insertGraph(tx, scope, definition ?? JSON.parse(workflow.definition), workflow);
        const { name, description = null } = body;
        const created_by = scope.actor.id;
        await store.insertVersion(tx, scope.workspace_id, {
          id,
          workflow_id,
          name,
          description,
          graph_id,
          valid,
          created_by,
        });
        return withWarnings(await findVersion(scope, workflow_id, id, tx), warnings);
      });
    },

    async updateVersion(scope: Scope, workflow_id: string, id: string, body: VersionPatch, force: boolean) {
      const workflow = await find(scope, workflow_id);
      const seen = await findVersion(scope, workflow_id, id);
      const definition = mergeDefinition(seen.definition, body.definition);
      const { definitions } = await storedIn(scope, workflow);
      const stored = { definitions: [...definitions, JSON.parse(seen.definition)] };
      const { valid, warnings } = definition
        ? await check(scope, workflow.type, definition, force, stored)
        : { valid: seen.valid, warnings: [] };
      if (definition && isOther(definition, seen)) await requireReadable(scope, definition);
      return db.transaction(scope, async (tx) => {
        const stored = await findVersion(scope, workflow_id, id, tx, true);
        const before = omit(stored, ['definition', 'rights', 'saved_by', 'created_at']);
        const graph_id = definition ? await insertGraph(tx, scope, definition, stored) : before.graph_id;
        const { name = before.name, description = before.description } = body;
        await store.updateVersion(tx, scope.workspace_id, { ...before, name, description, graph_id, valid });
        if (definition) await store.replaceGraph(tx, scope.workspace_id, before.graph_id);
        return withWarnings(await findVersion(scope, workflow_id, id, tx), warnings);
      });
    },

    async currentGraph(scope: Scope, workflow_id: string, version_id: string | null): Promise<string> {
      const row = await store.findWorkflow(db, scope.workspace_id, workflow_id);
      const held = row && version_id ? await store.findVersion(db, scope.workspace_id, workflow_id, version_id) : row;
      if (!held)
        throw new NodeFailure('no_such_workflow', 'There is no such workflow in this workspace', { passing: false });
      if (!held.valid)
        throw new NodeFailure('workflow_invalid', 'The workflow was stored with force and has faults', {
          passing: false,
        });
      return held.graph_id;
    },

    handlerOf: async (on: Db, scope: Scope, id: string) =>
      (await store.findWorkflow(on, scope.workspace_id, id))?.error_handler ?? undefined,

    byMention: (scope: Scope, pattern: string, limit: number) =>
      store.workflowsMentioning(db, scope.workspace_id, pattern, limit),

    byVariable: (scope: Scope, name: string, pattern: string, limit: number) =>
      store.workflowsByVariable(db, scope.workspace_id, name, pattern, limit),

    exists: async (scope: Scope, ids: string[]) =>
      new Set(
        allows(scope.permissions, 'flows_run')
          ? (await store.workflowsById(db, scope.workspace_id, ids)).map(({ id }) => id)
          : [],
      ),
    lookup: {
      names: async (scope: Scope, ids: string[]) =>
        new Map((await store.workflowsById(db, scope.workspace_id, ids)).map(({ id, name }) => [id, name])),
      byName: (scope: Scope, names: string[]) => store.workflowsByName(db, scope.workspace_id, names),
    },
  };
  return service;
}
