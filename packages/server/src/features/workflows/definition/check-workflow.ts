import { InvalidRequest } from '@atrium/contract/errors.ts';
import type { Database } from '../../../db/database.ts';
import type { Scope } from '../../../lib/scope.ts';
import { goneReference, unknownReference } from '../../settings/service.ts';
import { readDraft } from '../drafts/save-draft.ts';
import * as store from '../store.ts';
import type { DefinitionSaver } from './save-definition.ts';

/** Checks changes of a workflow against what it has already: what it names and is gone may stay. */
export function makeWorkflowChecks({ db, saver }: { db: Database; saver: DefinitionSaver }) {
  /** Warns of an error handler that is gone, if the workflow has it already; refuses a new one. */
  async function checkHandler(scope: Scope, id: string | undefined, stored: string | null = null, at = ['body']) {
    if (!id || (await store.workflowsById(db, scope.workspace_id, [id])).length) return [];
    if (id === stored) return [goneReference('workflow', [...at, 'error_handler'], 'failed runs start nothing')];
    throw new InvalidRequest([unknownReference({ kind: 'workflow', id, loc: ['body', 'error_handler'] })]);
  }

  /** The definitions that a workflow has. */
  async function storedIn(scope: Scope, seen: store.WorkflowRow) {
    const texts = [seen.definition, ...(seen.draft_graph_id ? [(await readDraft(db, scope, seen)).definition] : [])];
    return { definitions: texts.map((text): unknown => JSON.parse(text)) };
  }

  /** A draft may have errors, but no ids of records that the caller could not name. A new type asks for another check. */
  async function checkDraft(scope: Scope, seen: store.WorkflowRow, type: store.WorkflowRow['type'], drafted?: object) {
    const stored = await storedIn(scope, seen);
    if (drafted) return saver.check(scope, type, drafted, true, stored);
    if (seen.draft_graph_id === null || type === seen.type) return { valid: seen.draft_valid, warnings: [] };
    const { shape, validationErrors } = await saver.errorsOf(scope, type, stored.definitions[1], stored);
    return { valid: shape.length + validationErrors.length === 0, warnings: [] };
  }

  return { checkHandler, storedIn, checkDraft };
}
