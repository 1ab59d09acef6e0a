import { jsonText } from '../../lib/answer.ts';
import type { Paged } from '../../lib/page.ts';
import { spliceJson, splicePage } from '../../lib/splice.ts';
import type { VersionRow, WorkflowRow } from './store.ts';

/** Definitions are sent as they came: spliced in as text. */
const workflowText = ({ definition, graph_id: _, rights: __, saved_by: ___, ...row }: WorkflowRow) =>
  spliceJson(row, { definition });
const versionText = ({ definition, graph_id: _, rights: __, saved_by: ___, ...row }: VersionRow) =>
  spliceJson(row, { definition });

export const present = {
  workflow: (row: WorkflowRow) => jsonText(workflowText(row)),
  workflows: (page: Paged<WorkflowRow>) => jsonText(splicePage({ ...page, items: page.items.map(workflowText) })),
  version: (row: VersionRow) => jsonText(versionText(row)),
  versions: (rows: VersionRow[]) => jsonText(`[${rows.map(versionText).join(',')}]`),
};
