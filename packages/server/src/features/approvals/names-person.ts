import { sql } from '../../db/sql.ts';
import { noPerson } from '../../lib/scope.ts';

/** The condition that a request `q` names a person, or one of the person's user groups, to decide. */
export const namesPerson = (
  person_id: string | null,
) => sql`and (${person_id ?? noPerson}::uuid = any(q.approvers) or exists (
  select from user_group_members m
  where m.person_id = ${person_id ?? noPerson}::uuid and m.user_group_id = any(q.approver_groups)))`;
