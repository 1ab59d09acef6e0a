import type { Db } from '../../../db/database.ts';
import { required } from '../../../lib/required.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { DefinitionSaver } from '../definition/save-definition.ts';
import * as store from '../store.ts';
import { setDraft } from './draft-store.ts';

type Drafted = Pick<store.WorkflowRow, 'graph_id' | 'draft_graph_id'>;

/** The draft of a workflow, or what is published where there is none: that is what a first draft begins with. */
export async function readDraft(db: Db, { workspace_id }: Scope, { graph_id, draft_graph_id }: Drafted) {
  return required(await store.findGraph(db, workspace_id, draft_graph_id ?? graph_id));
}

/** Stores a definition as the draft, in place of the one before. */
export async function insertDraftGraph(
  tx: Db,
  scope: Scope,
  saver: DefinitionSaver,
  before: store.WorkflowRow,
  definition: object,
): Promise<void> {
  const graph_id = await saver.insertGraph(tx, scope, definition, await readDraft(tx, scope, before));
  await setDraft(tx, scope.workspace_id, before.id, graph_id);
  if (before.draft_graph_id) await store.replaceGraph(tx, scope.workspace_id, before.draft_graph_id);
}
