import type { PageQuery, PageWindow } from '@atrium/contract/page.ts';
import type { Severity, Stage } from '@atrium/contract/safety/categories.ts';
import type { WorkspaceViolationQuery } from '@atrium/contract/safety/guardrail-schema.ts';
import type { Db } from '../../db/database.ts';
import { type ListColumns, listConditions } from '../../db/list-query.ts';
import { readPage } from '../../db/read-page.ts';
import { nothing, sql } from '../../db/sql.ts';
import { storedText } from '../../db/stored-text/stored-text.ts';
import { newId } from '../../lib/ids.ts';
import type { CountViolation, NewViolations, ViolationCount } from './ports.ts';

/** One guardrail's entry about one text, without the text itself. */
export interface ViolationRow {
  id: string;
  group_id: string;
  conversation_id: string;
  run_id: string;
  message_id: string | null;
  stage: Stage;
  category: string;
  severity: Severity;
  reason: string;
  action: string;
  created_at: string;
}

/**
 * Stores an entry for each guardrail that flagged a text, and counts one violation of the conversation for all of them.
 * Call it in the transaction that writes the run's event, so that a run that is taken over does not count twice.
 * Undefined when nothing was flagged or the conversation is gone.
 */
export async function recordViolations(
  tx: Db,
  found: NewViolations,
  countViolation: CountViolation,
): Promise<ViolationCount | undefined> {
  const { workspace_id, conversation_id, run_id, message_id, stage, action, verdicts } = found;
  if (verdicts.length === 0) return undefined;
  // The conversation's row is locked first, so that concurrent violations wait here and can't deadlock.
  const counted = await countViolation(tx, workspace_id, conversation_id, found);
  if (!counted) return undefined;
  for (const { category, severity, reason } of verdicts) {
    const id = newId();
    await tx.run(sql`
      insert into safety_violations (workspace_id, conversation_id, id, run_id, message_id, stage, category, severity,
        reason, action)
      values (${workspace_id}, ${conversation_id}, ${id}, ${run_id}, ${message_id}, ${stage}, ${category},
        ${severity}, ${storedText('safety_violations.reason', workspace_id, id, reason)}, ${action})`);
  }
  return counted;
}

const listColumns: ListColumns = { id: sql`id`, created_at: sql`created_at`, ids_rise: true };

/** `person_id`: only violations in this person's conversations. */
export type ViolationFilter = Partial<Omit<WorkspaceViolationQuery, keyof PageQuery>> & {
  person_id?: string | undefined;
};

export async function listViolations(db: Db, workspace_id: string, filter: ViolationFilter, window: PageWindow) {
  const { assistant_id, conversation_id, person_id, run_id, category, severity, stage, action } = filter;
  const where = sql`workspace_id = ${workspace_id}
    ${assistant_id === undefined ? nothing : sql`and assistant_id = ${assistant_id}`}
    ${conversation_id === undefined ? nothing : sql`and conversation_id = ${conversation_id}`}
    ${person_id === undefined ? nothing : sql`and person_id = ${person_id}`}
    ${run_id === undefined ? nothing : sql`and run_id = ${run_id}`}
    ${category === undefined ? nothing : sql`and category = ${category}`}
    ${severity === undefined ? nothing : sql`and severity = ${severity}`}
    ${stage === undefined ? nothing : sql`and stage = ${stage}`}
    ${action === undefined ? nothing : sql`and action = ${action}`} ${listConditions(listColumns, filter)}`;
  return readPage<ViolationRow & { assistant_id: string | null }>(db, {
    columns: sql`id, workspace_id as group_id, conversation_id, run_id, message_id, stage, category, severity, reason,
        action, created_at, assistant_id`,
    ...{ from: sql`safety_violations`, where, list: listColumns, window },
  });
}
