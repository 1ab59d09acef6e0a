import { AppError, notFound } from '@atrium/contract/errors.ts';
import type { DraftPublish, WorkflowDraft, WorkflowDraftDiff } from '@atrium/contract/workflows/draft-schema.ts';
import type { Database, Db } from '../../../db/database.ts';
import { newId } from '../../../lib/ids.ts';
import type { Scope } from '../../../lib/scope.ts';
import { withActor } from '../../actors/service.ts';
import { withWarnings } from '../../settings/service.ts';
import { type DefinitionSaver, placeError } from '../definition/save-definition.ts';
import { auditedFields, targetOf, type Workflows } from '../service.ts';
import * as store from '../store.ts';
import { compareDefinitions } from './compare-definitions.ts';
import { clearDraft } from './draft-store.ts';
import { readDraft } from './save-draft.ts';

export interface WorkflowDrafts {
  get(scope: Scope, id: string): Promise<WorkflowDraft>;
  /** How the draft differs from what is published. */
  compare(scope: Scope, id: string): Promise<WorkflowDraftDiff>;
  /** Publishes the draft; the caller answers for it from then on. */
  publish(scope: Scope, id: string, body: DraftPublish): Promise<store.WorkflowRow>;
  discard(scope: Scope, id: string): Promise<void>;
}

/** Says who has changed the workflow, as a refused If-Match does. */
async function changedSince(on: Db, scope: Scope, { etag, updated_at, updated_by }: store.WorkflowRow) {
  const details = await withActor(on, scope, { etag, updated_at, updated_by }, 'updated_by');
  const message = 'The workflow or its draft was changed since; look at it again';
  return new AppError('conflict', message, { code: 'etag_mismatch', details: { ...details } });
}

export function makeWorkflowDrafts(deps: {
  db: Database;
  workflows: Workflows;
  saver: DefinitionSaver;
}): WorkflowDrafts {
  const { db, workflows, saver } = deps;

  async function find(scope: Scope, id: string, on: Db = db, lock = false) {
    const workflow = await workflows.find(scope, id, on, lock);
    const { draft_graph_id } = workflow;
    if (draft_graph_id === null) throw notFound('workflow draft');
    const { definition } = await readDraft(on, scope, workflow);
    return { workflow, draft_graph_id, definition: JSON.parse(definition) as Record<string, unknown> };
  }

  return {
    async get(scope, id) {
      const { workflow, definition } = await find(scope, id);
      const stored = { definitions: [definition] };
      const { shape, validationErrors, dangling } = await saver.errorsOf(scope, workflow.type, definition, stored);
      const warned = shape.length ? [] : await saver.warnOfGone(scope, definition);
      const errors = [...shape, ...validationErrors, ...dangling].map((error) => placeError(error, definition));
      const { draft_by, draft_by_actor, draft_at, draft_valid } = await withActor(db, scope, workflow, 'draft_by');
      const draft = {
        ...{ workflow_id: id, definition: definition as WorkflowDraft['definition'] },
        ...{ by: draft_by, by_actor: draft_by_actor, at: draft_at, valid: draft_valid, errors },
      };
      return withWarnings(draft, warned);
    },

    async compare(scope, id) {
      const { workflow, definition } = await find(scope, id);
      return compareDefinitions(JSON.parse(workflow.definition), definition);
    },

    async publish(scope, id, { name, note, etag }) {
      const { workflow: seen, definition, draft_graph_id } = await find(scope, id);
      // Who publishes answers for what the draft names, as for a copy.
      const stored = { definitions: [definition], isCopy: true };
      const { warnings } = await saver.check(scope, seen.type, definition, false, stored);
      await saver.requireReadable(scope, definition);
      return db.transaction(scope, async (tx) => {
        const { workflow: before } = await find(scope, id, tx, true);
        const isSeen = before.draft_graph_id === draft_graph_id && before.type === seen.type;
        if (!isSeen || (etag !== undefined && etag !== before.etag)) throw await changedSince(tx, scope, before);
        const version = { id: newId(), workflow_id: id, description: note ?? null, created_by: scope.actor.id };
        await store.insertVersion(tx, scope.workspace_id, {
          ...{ ...version, name: name ?? `Published ${new Date().toISOString()}`, valid: true },
          graph_id: await saver.insertGraph(tx, scope, definition),
        });
        const graph_id = await saver.insertGraph(tx, scope, definition);
        await store.updateWorkflow(tx, scope.workspace_id, { ...before, graph_id, valid: true });
        await clearDraft(tx, scope.workspace_id, id);
        for (const old of [before.graph_id, draft_graph_id]) await store.replaceGraph(tx, scope.workspace_id, old);
        const after = await workflows.find(scope, id, tx);
        scope.audit?.note({ before: auditedFields(before), after: auditedFields(after), target: targetOf(after) });
        return withWarnings(await withActor(tx, scope, after, 'updated_by', 'draft_by'), warnings);
      });
    },

    async discard(scope, id) {
      await db.transaction(scope, async (tx) => {
        const { workflow, draft_graph_id } = await find(scope, id, tx, true);
        await clearDraft(tx, scope.workspace_id, id);
        await store.replaceGraph(tx, scope.workspace_id, draft_graph_id);
        scope.audit?.note({ target: targetOf(workflow) });
      });
    },
  };
}
