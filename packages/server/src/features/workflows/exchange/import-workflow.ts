import { InvalidRequest } from '@atrium/contract/errors.ts';
import type { ReferenceKind } from '@atrium/contract/settings/entries.ts';
import type { WorkflowImport, WorkflowImportReport } from '@atrium/contract/workflows/exchange-schema.ts';
import type { Database } from '../../../db/database.ts';
import { newId } from '../../../lib/ids.ts';
import type { Scope } from '../../../lib/scope.ts';
import { findMissingSecrets } from '../../../lib/secrets/mask-secrets.ts';
import { withActor } from '../../actors/service.ts';
import type { ReferenceCheckers, ReferenceLookups } from '../../settings/ports.ts';
import { findUnknownReferences, makeResolver, type ReferenceTargetOf, referenceKey } from '../../settings/service.ts';
import { checkShape, wrong } from '../definition/check-definition.ts';
import { checkVersions } from '../definition/check-references.ts';
import { emptyDefinition } from '../definition/definition-shape.ts';
import type { FindVariables } from '../definition/require-variables-read.ts';
import { type DefinitionSaver, over, placeError } from '../definition/save-definition.ts';
import { setDraft, setDraftValid } from '../drafts/draft-store.ts';
import type { NodeRegistry } from '../nodes/node-registry.ts';
import { auditedFields, targetOf as auditTargetOf, type Workflows } from '../service.ts';
import * as store from '../store.ts';
import { nodeRules, recordsIn } from './export-workflow.ts';
import { dropVersions, relinkDefinition } from './relink-definition.ts';
import { variableNamesIn } from './variable-names.ts';

export interface ImportedWorkflow {
  workflow: store.WorkflowRow;
  report: WorkflowImportReport;
}
export type WorkflowImporter = (scope: Scope, file: WorkflowImport) => Promise<ImportedWorkflow>;

/** As much as a save may send. */
const mostDefinition = 10 * 1024 ** 2;
type Named = { kind: ReferenceKind; id: string };

/** Imports a workflow's file. The file is only data: nothing that it names is called or started. */
export function makeWorkflowImport(deps: {
  db: Database;
  workflows: Workflows;
  saver: DefinitionSaver;
  nodes: NodeRegistry;
  references: ReferenceCheckers;
  lookups: ReferenceLookups;
  findVariables: FindVariables;
}): WorkflowImporter {
  const { db, workflows, saver, nodes, references, findVariables } = deps;
  const resolve = makeResolver(deps);

  function readDefinition(given: Record<string, unknown>, key: string): Record<string, unknown> {
    const at = ['body', 'workflow', key];
    if (JSON.stringify(given).length > mostDefinition)
      throw new InvalidRequest([wrong(at, `a definition has at most ${mostDefinition} characters`, null)]);
    const definition = over(emptyDefinition, given);
    const errors = checkShape(definition, at);
    if (errors.length) throw new InvalidRequest(errors);
    return definition;
  }

  /** A record of the same name that the caller may not use is none. */
  async function usableTargets(scope: Scope, used: readonly Named[], targetOf: ReferenceTargetOf) {
    const targets = used.flatMap(({ kind, id }) => {
      const target = targetOf(kind, id);
      return target === null ? [] : [{ kind, id: target }];
    });
    const unusable = new Set((await findUnknownReferences(scope, targets, references)).map(referenceKey));
    return (kind: ReferenceKind, id: string) => {
      const target = targetOf(kind, id);
      return target === null || unusable.has(referenceKey({ kind, id: target })) ? null : target;
    };
  }

  async function relink(scope: Scope, given: object, key: string, targetOf: ReferenceTargetOf) {
    const { definition, missing } = relinkDefinition(given, nodes, targetOf);
    const find = (ids: string[]) => store.versionsById(db, scope.workspace_id, ids);
    const wrongVersions = await checkVersions(definition, nodes, find, []);
    const places = wrongVersions.map(({ loc, input }) => ({ loc, id: String(input) }));
    const dropped = [...missing, ...dropVersions(definition, places)];
    return { definition, missing: dropped.map((one) => ({ ...one, path: ['workflow', key, ...one.path] })) };
  }

  return async (scope, file) => {
    const { name, type, drafts, error_handler } = file.workflow;
    const given = readDefinition(file.workflow.definition, 'definition');
    const givenDraft =
      file.workflow.draft_definition && readDefinition(file.workflow.draft_definition, 'draft_definition');
    const handler: Named[] = error_handler ? [{ kind: 'workflow', id: error_handler }] : [];
    const used = [...handler, ...recordsIn(given, nodes), ...(givenDraft ? recordsIn(givenDraft, nodes) : [])];
    const names = new Map(file.references.map((one) => [referenceKey(one), one.name ?? null]));
    const nameOf = (one: { kind: string; id: string }) => names.get(referenceKey(one)) ?? null;
    const targetOf = await usableTargets(scope, used, await resolve(scope, used, { mapping: file.mapping, nameOf }));

    const { definition, missing } = await relink(scope, given, 'definition', targetOf);
    const draft = givenDraft && (await relink(scope, givenDraft, 'draft_definition', targetOf));
    const handlerTarget = error_handler ? targetOf('workflow', error_handler) : null;
    const lostHandler =
      error_handler && !handlerTarget
        ? [{ kind: 'workflow', id: error_handler, path: ['workflow', 'error_handler'] }]
        : [];
    const { valid } = await saver.check(scope, type, definition, true);
    const draft_valid = draft && (await saver.check(scope, type, draft.definition, true)).valid;
    for (const one of [definition, ...(draft ? [draft.definition] : [])]) await saver.requireReadable(scope, one);

    const mapped = new Map<string, WorkflowImportReport['mapped'][number]>();
    for (const { kind, id } of used) {
      const to = targetOf(kind, id);
      if (to !== null && to !== id) mapped.set(referenceKey({ kind, id }), { kind, from: id, to });
    }
    const variables = [...new Set([given, givenDraft ?? {}].flatMap((one) => variableNamesIn(one, nodes)))];
    const known = new Set((variables.length ? await findVariables(scope, variables) : []).map((one) => one.name));
    const { validationErrors } = await saver.errorsOf(scope, type, definition);
    const report: WorkflowImportReport = {
      mapped: [...mapped.values()],
      missing: [...lostHandler, ...missing, ...(draft?.missing ?? [])].map((one) => ({ ...one, name: nameOf(one) })),
      variables: variables.filter((one) => !known.has(one)),
      secrets: findMissingSecrets(file, file.secrets, nodeRules),
      errors: validationErrors.map((error) => placeError(error, definition)),
    };
    return db.transaction(scope, async (tx) => {
      const id = newId();
      const graph_id = await saver.insertGraph(tx, scope, definition);
      const row = { id, name, type, graph_id, valid, error_handler: handlerTarget, drafts };
      await store.insertWorkflow(tx, scope.workspace_id, row);
      if (draft) {
        await setDraft(tx, scope.workspace_id, id, await saver.insertGraph(tx, scope, draft.definition));
        await setDraftValid(tx, scope.workspace_id, id, draft_valid === true);
      }
      const made = await workflows.find(scope, id, tx);
      scope.audit?.note({ after: auditedFields(made), target: auditTargetOf(made) });
      return { workflow: await withActor(tx, scope, made, 'updated_by', 'draft_by'), report };
    });
  };
}
