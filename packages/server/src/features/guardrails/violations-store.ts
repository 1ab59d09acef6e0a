import type { Severity, Stage } from '@atrium/contract/safety/categories.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
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
  for (const { category, severity, reason } of verdicts)
    await tx.run(sql`
      insert into safety_violations (workspace_id, conversation_id, id, run_id, message_id, stage, category, severity,
        reason, action)
      values (${workspace_id}, ${conversation_id}, ${newId()}, ${run_id}, ${message_id}, ${stage}, ${category},
        ${severity}, ${reason}, ${action})`);
  return counted;
}

export async function listViolations(
  db: Db,
  workspace_id: string,
  conversation_id: string,
  { size, offset }: { size: number; offset: number },
): Promise<{ rows: ViolationRow[]; total: number }> {
  const where = sql`workspace_id = ${workspace_id} and conversation_id = ${conversation_id}`;
  const [rows, count] = await Promise.all([
    db.rows<ViolationRow>(sql`
      select id, workspace_id as group_id, conversation_id, run_id, message_id, stage, category, severity, reason,
        action, created_at
      from safety_violations where ${where} order by id desc limit ${size} offset ${offset}`),
    db.row<{ total: number }>(sql`select count(*) as total from safety_violations where ${where}`),
  ]);
  return { rows, total: count?.total ?? 0 };
}
