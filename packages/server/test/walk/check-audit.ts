import assert from 'node:assert/strict';
import { isAudited } from '@atrium/contract/operation.ts';
import type { Route } from '../../src/lib/route.ts';
import type { Answer, TestApp } from '../support/test-app.ts';

/** Operations whose row does not belong to the transaction of the change, and why. */
const vacuum = 'its example deletes nothing, and the vacuum that a deletion schedules is a job of its own';
const apart = new Map<string, string>([
  ['conversationMemories.deleteAll', vacuum],
  ['agentMemories.deleteAll', vacuum],
  ['conversations.bulk', vacuum],
  ['documents.bulk', vacuum],
]);
/** Operations that change no single record. */
const withoutTarget = new Set(['audit.export', 'signInPolicy.update']);

/** A refused request has no row that says it was done. */
export async function checkNothingDone({ query }: TestApp, route: Route, answers: readonly Answer[]): Promise<void> {
  const ids = answers.map(({ headers }) => headers['x-request-id']);
  const rows = await query("select operation from audit_log where request_id = any($1) and outcome = 'done'", [ids]);
  assert.deepEqual(rows, [], `${route.id} was refused, and is recorded as done`);
}

/** A change that was made has one row in the audit log, in its own transaction; anything else has none, or is noted as read. */
export async function checkAudit(
  { query }: TestApp,
  route: Route,
  { status, headers }: Answer,
  lastChange: string,
): Promise<void> {
  const rows = await query(
    `select operation, outcome, target_id, exists (select 1 from walk.changes c where c.transaction = r.xmin) as together,
       not exists (select 1 from walk.changes c where c.id > $2) as unchanged
     from audit_log r where request_id = $1 and outcome <> 'read'`,
    [headers['x-request-id'], Number.parseInt(lastChange, 10) || 0],
  );
  const isExpected = isAudited(route) && status < 300;
  assert.deepEqual(
    rows.map(({ operation, outcome }) => [operation, outcome]),
    isExpected ? [[route.id, 'done']] : [],
    `${route.id} answered ${status}`,
  );
  if (!isExpected) return;
  assert.ok(rows[0].target_id || withoutTarget.has(route.id), `${route.id}: its audit row names no record`);
  const isApart = apart.has(route.id) || route.route.startsWith('GET ');
  assert.ok(
    rows[0].together || rows[0].unchanged || isApart,
    `${route.id}: its audit row is not in the transaction of the change`,
  );
}
