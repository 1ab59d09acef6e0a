import { hash } from 'node:crypto';
import { AppError } from '@atrium/contract/errors.ts';
import { allows } from '@atrium/contract/permissions.ts';
import type { Use, UsedBy } from '@atrium/contract/uses/schema.ts';
import type { Scope } from '../../lib/scope.ts';
import type { UsedRecord, UseFinder } from './ports.ts';

/** The most records of a kind that are looked for. */
const mostOfKind = 100;
/** The most places that a refusal names. */
const mostPlaces = 10;

/** A record that is named by its id. */
export const recordById = (id: string): UsedRecord => ({
  ...{ id, pattern: `(?i)${id}`, mentions: [id.toLowerCase()] },
});

/** An MCP server is named by its address. */
export function recordByUrl(id: string, url: string): UsedRecord {
  const text = JSON.stringify(url).slice(1, -1);
  const pattern = `"url":"${text.replaceAll(/[^A-Za-z0-9]/g, (sign) => `\\${sign}`)}"`;
  return { id, pattern, mentions: [`url:${hash('md5', text)}`] };
}

export type FindUses = (scope: Scope, record: UsedRecord, finders: readonly UseFinder[]) => Promise<UsedBy>;

/** Finds what uses a record; what the caller may not see is only counted. */
export const findUses: FindUses = async (scope, record, finders) => {
  const found = await Promise.all(
    finders.map(async ({ kind, permission, find }) => {
      const rows = (await find(scope, record, mostOfKind)).filter(({ id }) => id !== record.id);
      const shown = allows(scope.permissions, permission) ? rows.filter(({ hidden }) => !hidden) : [];
      const uses = shown.map(({ id, name }): Use => ({ kind, id, name }));
      return { uses, hidden: rows.length - uses.length };
    }),
  );
  return {
    items: found.flatMap(({ uses }) => uses),
    hidden: found.reduce((sum, { hidden }) => sum + hidden, 0),
  };
};

const nameOf = ({ kind, id, name }: Use) => `${kind} ${name ?? 'without a name'} (${id})`;

/** Refuses to delete a record that is in use, and says what uses it. */
export function requireUnused(what: string, used_by: UsedBy): void {
  const { items, hidden } = used_by;
  const unnamed = hidden + Math.max(0, items.length - mostPlaces);
  if (items.length + hidden === 0) return;
  const places = [...items.slice(0, mostPlaces).map(nameOf), ...(unnamed ? [`${unnamed} other records`] : [])];
  const message = `${what} is used by ${places.join(', ')}; force=true deletes it nevertheless`;
  throw new AppError('conflict', message, { code: 'in_use', details: { used_by } });
}
