import type { Permission } from '@atrium/contract/permissions.ts';
import type { Use } from '@atrium/contract/uses/schema.ts';
import type { Scope } from '../../lib/scope.ts';

/** A record whose users are looked for. */
export interface UsedRecord {
  id: string;
  /** The text by which stored settings and definitions name it, as a regular expression. */
  pattern: string;
  /** Of a variable: its name, which nodes hold without braces. */
  name?: string;
  /** What `settings_mentions` of the database makes of that text. */
  mentions: readonly string[];
}

/** Looks for the records of one kind that use another. */
export interface UseFinder {
  kind: Use['kind'];
  /** Callers without it are told how many there are, and no names. */
  permission: Permission;
  /** `hidden`: the caller may not see this one, although it has the permission. */
  find(
    scope: Scope,
    record: UsedRecord,
    limit: number,
  ): Promise<{ id: string; name: string | null; hidden?: boolean }[]>;
}
