import type { ReferenceKind } from '@atrium/contract/settings/entries.ts';
import {
  type WorkflowFile,
  workflowFileFormat,
  workflowFileVersion,
} from '@atrium/contract/workflows/exchange-schema.ts';
import type { Database } from '../../../db/database.ts';
import type { Scope } from '../../../lib/scope.ts';
import { stripSecrets } from '../../../lib/secrets/mask-secrets.ts';
import type { ReferenceCheckers, ReferenceLookups } from '../../settings/ports.ts';
import { findUnknownReferences, nameReferences, referenceKey } from '../../settings/service.ts';
import { referencesOf } from '../definition/check-references.ts';
import { readDraft } from '../drafts/save-draft.ts';
import type { NodeRegistry } from '../nodes/node-registry.ts';
import type { Workflows } from '../service.ts';
import { variableNamesIn } from './variable-names.ts';

export type WorkflowExport = (scope: Scope, id: string) => Promise<WorkflowFile>;

/** In nodes, `code` is a program and `key` the name of an input. */
export const nodeRules = { programs: true };

/** The records that a definition refers to; versions go with their workflows. */
export const recordsIn = (definition: object, registry: NodeRegistry) =>
  referencesOf(definition, registry).flatMap(({ kind, id }): { kind: ReferenceKind; id: string }[] =>
    kind === 'workflow_version' ? [] : [{ kind, id }],
  );

/** Exports a workflow as one file: its graphs without credentials, and the names of the records they refer to. */
export function makeWorkflowExport(deps: {
  db: Database;
  workflows: Workflows;
  nodes: NodeRegistry;
  references: ReferenceCheckers;
  lookups: ReferenceLookups;
}): WorkflowExport {
  const { db, workflows, nodes, references, lookups } = deps;
  const strip = (text: string, key: string) => {
    const { value, places } = stripSecrets(JSON.parse(text) as Record<string, unknown>, ['workflow', key], nodeRules);
    return { definition: value, secrets: places.map((path) => ({ path })) };
  };

  /** Names of records that the caller may not use stay unknown. */
  async function named(scope: Scope, records: { kind: ReferenceKind; id: string }[]) {
    const hidden = new Set((await findUnknownReferences(scope, records, references)).map(referenceKey));
    return (await nameReferences(scope, records, lookups)).map((one) =>
      hidden.has(referenceKey(one)) ? { ...one, name: null } : one,
    );
  }

  return async (scope, id) => {
    const row = await workflows.find(scope, id);
    const { name, type, error_handler, drafts } = row;
    const main = strip(row.definition, 'definition');
    const draft =
      row.draft_graph_id === null ? null : strip((await readDraft(db, scope, row)).definition, 'draft_definition');
    const definitions = [main.definition, ...(draft ? [draft.definition] : [])];
    const handler = error_handler ? [{ kind: 'workflow' as const, id: error_handler }] : [];
    return {
      format: workflowFileFormat,
      version: workflowFileVersion,
      exported_at: new Date().toISOString(),
      workflow: {
        ...{ name, type, error_handler, drafts },
        ...{ definition: main.definition, draft_definition: draft?.definition ?? null },
      },
      references: await named(scope, [...handler, ...definitions.flatMap((one) => recordsIn(one, nodes))]),
      variables: [...new Set(definitions.flatMap((one) => variableNamesIn(one, nodes)))],
      secrets: [...main.secrets, ...(draft?.secrets ?? [])],
    };
  };
}
