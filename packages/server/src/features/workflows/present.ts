import type { Paged } from '@atrium/contract/page.ts';
import { allows } from '@atrium/contract/permissions.ts';
import { omit } from '../../lib/omit.ts';
import { jsonText } from '../../lib/responses/raw-answer.ts';
import { spliceJson, splicePage } from '../../lib/responses/splice-json.ts';
import type { Scope } from '../../lib/scope.ts';
import { maskSecrets } from '../../lib/secrets/mask-secrets.ts';
import { mayOf } from '../may/service.ts';
import type { VersionRow, WorkflowRow } from './store.ts';

/** Splices stored definitions into answers as text. Callers without `flows_edit` see no credentials in them. */
const shownDefinition = (definition: string, { permissions }: Scope) =>
  allows(permissions, 'flows_edit') ? definition : JSON.stringify(maskSecrets(JSON.parse(definition)));
const internalColumns = ['definition', 'graph_id', 'rights', 'saved_by'] as const;
const draftColumns = ['draft_graph_id', 'draft_valid', 'draft_by', 'draft_by_actor', 'draft_at'] as const;
const shownDraft = (row: WorkflowRow) =>
  row.draft_graph_id === null
    ? null
    : { by: row.draft_by, by_actor: row.draft_by_actor ?? null, at: row.draft_at, valid: row.draft_valid };
const workflowText = (row: WorkflowRow, scope: Scope) =>
  spliceJson(
    {
      ...omit(row, [...internalColumns, ...draftColumns]),
      draft: shownDraft(row),
      may: mayOf('workflow', scope),
    },
    { definition: shownDefinition(row.definition, scope) },
  );
const versionText = (row: VersionRow, scope: Scope) =>
  spliceJson(omit(row, internalColumns), { definition: shownDefinition(row.definition, scope) });

export const present = {
  workflow: (row: WorkflowRow, scope: Scope) => jsonText(workflowText(row, scope)),
  imported: ({ workflow, report }: { workflow: WorkflowRow; report: object }, scope: Scope) =>
    jsonText(spliceJson({ report }, { workflow: workflowText(workflow, scope) })),
  workflows: (page: Paged<WorkflowRow>, scope: Scope) =>
    jsonText(splicePage({ ...page, items: page.items.map((row) => workflowText(row, scope)) })),
  version: (row: VersionRow, scope: Scope) => jsonText(versionText(row, scope)),
  versions: (rows: VersionRow[], scope: Scope) => jsonText(`[${rows.map((row) => versionText(row, scope)).join(',')}]`),
};
