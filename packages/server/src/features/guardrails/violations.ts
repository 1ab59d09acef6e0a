import { type Paged, pageAnswer, pageOf } from '@atrium/contract/page.ts';
import type { ViolationListQuery } from '@atrium/contract/safety/guardrail-schema.ts';
import type { Database } from '../../db/database.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Conversations } from '../conversations/service.ts';
import { listViolations, type ViolationRow } from './violations-store.ts';

export interface Violations {
  list(scope: Scope, conversation_id: string, query: ViolationListQuery): Promise<Paged<ViolationRow>>;
}

/** Lists the violations of a conversation. */
export const makeViolations = ({ db, conversations }: { db: Database; conversations: Conversations }): Violations => ({
  async list(scope: Scope, conversation_id: string, query: ViolationListQuery): Promise<Paged<ViolationRow>> {
    await conversations.find(scope, conversation_id);
    const window = pageOf(query);
    const { rows, total } = await listViolations(db, scope.workspace_id, conversation_id, window);
    return pageAnswer(rows, total, window);
  },
});
