import { workflowTypes } from '@atrium/contract/workflows/schema.ts';
import { z } from 'zod';
import type { Database, Db } from '../../../db/database.ts';
import { newId } from '../../../lib/ids.ts';
import { required } from '../../../lib/required.ts';
import type { Scope } from '../../../lib/scope.ts';
import { stripSecrets } from '../../../lib/secrets/mask-secrets.ts';
import { defineWorkspaceRecords, type ImportTarget } from '../../personal-data/ports.ts';
import { checkDefinition, checkShape } from '../definition/check-definition.ts';
import { setDraft, setDraftValid } from '../drafts/draft-store.ts';
import type { NodeRegistry } from '../nodes/node-registry.ts';
import * as store from '../store.ts';
import { dropUnknownReferences } from './drop-unknown-references.ts';
import { nodeRules } from './export-workflow.ts';

const definition = z.looseObject({});
const workflowRecord = z.object({
  id: z.guid(),
  name: z.string().min(1).max(500),
  type: z.enum(workflowTypes),
  error_handler: z.guid().nullable(),
  drafts: z.boolean().default(false),
  draft: definition.nullable().default(null),
  definition,
  /** The oldest first. */
  versions: z.array(
    z.object({
      id: z.guid(),
      name: z.string().max(500),
      description: z.string().max(10_000).nullable(),
      definition,
    }),
  ),
  /** The places of secrets that were left out of the definition. */
  secrets: z.array(z.string().max(1000)).max(100_000),
});
type WorkflowRecord = z.output<typeof workflowRecord>;

/** As much as a request may send. */
const mostDefinition = 10 * 1024 ** 2;
const stripped = (text: string) => stripSecrets(JSON.parse(text) as Record<string, unknown>, [], nodeRules);

/** The workflows of a workspace with all of their versions, as an archive of the workspace has them. */
export function makeWorkflowRecords({ db, nodes }: { db: Database; nodes: NodeRegistry }) {
  async function* list(workspace_id: string): AsyncGenerator<WorkflowRecord> {
    for (const id of await store.listWorkflowIds(db, workspace_id)) {
      const row = await store.findWorkflow(db, workspace_id, id);
      if (!row) continue;
      const versions = (await store.listVersions(db, workspace_id, id)).toReversed();
      const { value: shown, places } = stripped(row.definition);
      const drafted = row.draft_graph_id && (await store.findGraph(db, workspace_id, row.draft_graph_id));
      const draft = drafted ? stripped(drafted.definition) : null;
      yield {
        ...{ id, name: row.name, type: row.type, error_handler: row.error_handler, definition: shown },
        ...{
          drafts: row.drafts,
          draft: draft?.value ?? null,
          secrets: [...places, ...(draft?.places ?? [])].map((path) => path.join('.')),
        },
        versions: versions.map((one) => ({
          ...{ id: one.id, name: one.name, description: one.description },
          definition: stripped(one.definition).value,
        })),
      };
    }
  }

  async function insertGraph(tx: Db, { actor, permissions, workspace_id }: Scope, text: string): Promise<string> {
    const id = newId();
    // The one who imports answers for the definition, as if they had saved it.
    await store.insertGraph(tx, workspace_id, id, text, { rights: [...permissions], saved_by: actor.id });
    return id;
  }

  async function restore({ scope, ...target }: ImportTarget, record: WorkflowRecord): Promise<void> {
    const note = (what: 'secret' | 'left_out' | 'invalid', detail: string) =>
      target.note({ what, kind: 'workflow', name: record.name, detail });
    const fit = (given: WorkflowRecord['definition']) => {
      const known = dropUnknownReferences(given, nodes, (kind, id) => target.idOf(kind, id) !== undefined);
      const text = target.rewriteIds(JSON.stringify(known.definition));
      const [error] = checkDefinition(JSON.parse(text), nodes, record.type, []);
      return { ...known, text, error };
    };
    const { places, text, error } = fit(record.definition);
    const handler = record.error_handler && target.idOf('workflow', record.error_handler);
    for (const place of places) note('left_out', place);
    for (const place of record.secrets) note('secret', place);
    if (record.error_handler && !handler) note('left_out', `error_handler: workflow ${record.error_handler}`);
    if (error) note('invalid', `${error.loc.join('.')}: ${error.msg}`);
    const workflow_id = required(target.idOf('workflow', record.id));
    await db.transaction(scope, async (tx) => {
      await store.insertWorkflow(tx, scope.workspace_id, {
        ...{ id: workflow_id, name: record.name, type: record.type, valid: !error, drafts: record.drafts },
        ...{ graph_id: await insertGraph(tx, scope, text), error_handler: handler ?? null },
      });
      if (record.draft) {
        const draft = fit(record.draft);
        await setDraft(tx, scope.workspace_id, workflow_id, await insertGraph(tx, scope, draft.text));
        await setDraftValid(tx, scope.workspace_id, workflow_id, !draft.error);
      }
      for (const { id, name, description, definition: given } of record.versions) {
        const version = fit(given);
        await store.insertVersion(tx, scope.workspace_id, {
          ...{ id: required(target.idOf('workflow_version', id)), workflow_id, name, description },
          graph_id: await insertGraph(tx, scope, version.text),
          ...{ valid: !version.error, created_by: scope.actor.id },
        });
      }
    });
  }

  return defineWorkspaceRecords<WorkflowRecord>({
    kind: 'workflows',
    schema: workflowRecord,
    list,
    nameOf: ({ name }) => name,
    idsOf: ({ id, versions }) => [
      { kind: 'workflow', id },
      ...versions.map((one) => ({ kind: 'workflow_version', id: one.id })),
    ],
    async refuse(_scope, record) {
      for (const given of [
        record.definition,
        ...(record.draft ? [record.draft] : []),
        ...record.versions.map((one) => one.definition),
      ]) {
        if (JSON.stringify(given).length > mostDefinition) return 'A definition is larger than a request may be';
        const [error] = checkShape(given, ['definition']);
        if (error) return `${error.loc.join('.')}: ${error.msg}`;
      }
      return undefined;
    },
    async restore(target, records) {
      for (const record of records) await restore(target, record);
    },
  });
}
