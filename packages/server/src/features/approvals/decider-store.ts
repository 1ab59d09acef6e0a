import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { noPerson } from '../../lib/scope.ts';

/** Who may decide about a request now, and how a caller stands to it. */
export interface DecidersRow {
  request_id: string;
  /** Some of them, by name. */
  people: { id: string; name: string }[];
  /** There are more people than these. */
  more: boolean;
  /** The groups that are named. */
  groups: { id: string; name: string }[];
  /** People or groups are named for it. */
  is_named: boolean;
  /** Nobody who is named may decide, so the administrators of the workspace do. */
  stands_in: boolean;
  /** The person of the caller is among those who may decide. */
  includes: boolean;
  /** The request has four_eyes and the caller is behind the call. */
  is_behind: boolean;
}

export interface CallerNames {
  person_id: string | null;
  names: readonly string[];
}

/** Requests of conversations and workflow runs in one list: their ids are unique. Questions have no deciders. */
export const findDeciders = (
  db: Db,
  workspace_id: string,
  request_ids: readonly string[],
  { person_id, names }: CallerNames,
  most: number,
) =>
  db.rows<DecidersRow>(sql`
    select * from deciders_of_requests(${workspace_id}, ${[...request_ids]}::uuid[], ${person_id}, ${[...names]}::text[], ${most})`);

/** The condition that a request `q` names a person, or one of the person's user groups, to decide. */
export const namesPerson = (person_id: string | null) => sql`
  and (${person_id ?? noPerson}::uuid = any(q.approvers) or q.approver_groups && user_groups_of(${person_id ?? noPerson}))`;
