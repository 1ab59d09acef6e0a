import { type Sql, sql } from '../../db/sql.ts';
import { isReadableRun, type RunReach, readableConversations, usedOnly } from '../ownership/service.ts';

/** Whose files a caller reads, besides those that records of the workspace refer to. */
export interface FileReach {
  owner_id: string;
  /** Kinds of records whose readers the caller is one of. */
  kinds: readonly string[];
  /** The owner whose conversations alone the caller reads; undefined: those of everybody. */
  conversations_of: string | undefined;
  /** Conversations that the caller works in. */
  within: readonly string[];
  /** Undefined: the runs of everybody. */
  runs: RunReach | undefined;
}

/** The files that a caller sees. */
export interface VisibleFiles {
  /** Sets of rights of documents; `all`: every document. */
  rights: 'all' | readonly number[];
  /** `all`: the files of everybody. */
  reach: 'all' | FileReach;
}

function isReached(workspace_id: string, reach: FileReach): Sql {
  const { owner_id, kinds, conversations_of, within, runs } = reach;
  const conversation =
    conversations_of === undefined
      ? sql`true`
      : sql`(l.conversation_id = any(${[...within]}::uuid[])
          or l.conversation_id in (${readableConversations(workspace_id, conversations_of)}))`;
  const readable = runs ? isReadableRun(workspace_id, runs) : sql`true`;
  return sql`(
    not files.of_conversation and files.run_id is null and files.owner_id = ${owner_id}
    or files.shared_with && ${[...kinds]}::text[]
    or exists (select from file_conversations l
      where l.workspace_id = ${workspace_id} and l.file_id = files.id and ${conversation})
    or files.run_id in (select run_id from owned_runs where workspace_id = ${workspace_id} and ${readable}))`;
}

/** The condition that a caller may delete a row of `files` that it sees: its own, and those of records of the workspace. */
export const isChangeableFile = ({ reach }: VisibleFiles): Sql =>
  reach === 'all'
    ? sql`true`
    : sql`(files.owner_id = ${reach.owner_id} or files.shared_with && ${[...reach.kinds]}::text[])`;

/** The condition that a caller sees a row of `files`. */
export const isVisibleFile = (workspace_id: string, { rights, reach }: VisibleFiles): Sql => sql`
  ${rights === 'all' ? sql`true` : sql`(rights_id is null or rights_id = any(${[...rights]}::int[]))`}
  and ${reach === 'all' || rights === 'all' ? sql`true` : sql`(files.owner_id = ${reach.owner_id} or ${usedOnly(workspace_id, sql`files.run_id`, rights)})`}
  and ${reach === 'all' ? sql`true` : isReached(workspace_id, reach)}`;
