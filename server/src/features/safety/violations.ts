import type { Database } from '../../db/database.ts';
import { type Paged, pageAnswer, pageOf } from '../../lib/page.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Conversations } from '../conversations/service.ts';
import type { ViolationListQuery } from './guardrail-schema.ts';
import { listViolations, type ViolationRow } from './guardrails/violations-store.ts';

export type Violations = ReturnType<typeof makeViolations>;

/** What guardrails flagged, for those who look after conversations. */
export const makeViolations = ({ db, conversations }: { db: Database; conversations: Conversations }) => ({
  async list(scope: Scope, conversation_id: string, query: ViolationListQuery): Promise<Paged<ViolationRow>> {
    await conversations.find(scope, conversation_id);
    const window = pageOf(query);
    const { rows, total } = await listViolations(db, scope.workspace_id, conversation_id, window);
    return pageAnswer(rows, total, window);
  },
});
