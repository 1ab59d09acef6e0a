import type { Paged } from '@atrium/contract/page.ts';
import { allows } from '@atrium/contract/permissions.ts';
import { jsonText } from '../../lib/responses/raw-answer.ts';
import { spliceJson, splicePage } from '../../lib/responses/splice-json.ts';
import type { Scope } from '../../lib/scope.ts';
import { maskCredentials } from '../settings/service.ts';
import type { VersionRow, WorkflowRow } from './store.ts';

/** Splices stored definitions into answers as text. Callers who may not edit workflows see no credentials in them. */
const shownDefinition = (definition: string, { permissions }: Scope) =>
  allows(permissions, 'flows_edit') ? definition : JSON.stringify(maskCredentials(JSON.parse(definition)));
const workflowText = ({ definition, graph_id: _, rights: __, saved_by: ___, ...row }: WorkflowRow, scope: Scope) =>
  spliceJson(row, { definition: shownDefinition(definition, scope) });
const versionText = ({ definition, graph_id: _, rights: __, saved_by: ___, ...row }: VersionRow, scope: Scope) =>
  spliceJson(row, { definition: shownDefinition(definition, scope) });

export const present = {
  workflow: (row: WorkflowRow, scope: Scope) => jsonText(workflowText(row, scope)),
  workflows: (page: Paged<WorkflowRow>, scope: Scope) =>
    jsonText(splicePage({ ...page, items: page.items.map((row) => workflowText(row, scope)) })),
  version: (row: VersionRow, scope: Scope) => jsonText(versionText(row, scope)),
  versions: (rows: VersionRow[], scope: Scope) => jsonText(`[${rows.map((row) => versionText(row, scope)).join(',')}]`),
};
