import { type Paged, pageAnswer, pageOf } from '@atrium/contract/page.ts';
import type {
  ViolationEntry,
  ViolationListQuery,
  WorkspaceViolationQuery,
} from '@atrium/contract/safety/guardrail-schema.ts';
import type { Database } from '../../db/database.ts';
import { omit } from '../../lib/omit.ts';
import type { Scope } from '../../lib/scope.ts';
import { type Conversations, onlyOf } from '../conversations/service.ts';
import { listViolations, type ViolationRow } from './violations-store.ts';

export interface Violations {
  list(scope: Scope, conversation_id: string, query: ViolationListQuery): Promise<Paged<ViolationRow>>;
  /** The violations in all conversations that the caller sees. */
  listAll(scope: Scope, query: WorkspaceViolationQuery): Promise<Paged<ViolationEntry>>;
}

/** Lists the violations of a conversation, or of a workspace. */
export const makeViolations = ({ db, conversations }: { db: Database; conversations: Conversations }): Violations => ({
  async list(scope, conversation_id, query) {
    await conversations.find(scope, conversation_id);
    const window = pageOf(query);
    const { rows, total, last } = await listViolations(
      db,
      scope.workspace_id,
      { ...omit(query, ['page', 'size', 'page_size', 'after', 'view']), conversation_id },
      window,
    );
    return pageAnswer(
      rows.map((row) => omit(row, ['assistant_id'])),
      total,
      window,
      last,
    );
  },

  async listAll(scope, query) {
    const window = pageOf(query);
    const own = { ...query, person_id: onlyOf(scope) };
    const { rows, total, last } = await listViolations(db, scope.workspace_id, own, window);
    return pageAnswer(rows, total, window, last);
  },
});
