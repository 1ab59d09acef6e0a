import { scimGroupInput } from '@atrium/contract/scim/schema.ts';
import { isRecord } from '../../../lib/json/fields-of.ts';
import type { Change } from './patch.ts';
import { invalidValue, mutability } from './scim-error.ts';

/** A group as a directory wants it. */
export interface WantedGroup {
  name: string;
  external_id: string | null;
  members: ReadonlySet<string>;
}

/** The ids in a list of members, in the forms `[{value}]`, `{value}` and `["…"]`. */
function idsIn(value: unknown): string[] {
  const list = value === null || value === undefined ? [] : [value].flat();
  const members = list.map((one) => (isRecord(one) ? { value: one['value'] } : { value: one }));
  const parsed = scimGroupInput.shape.members.safeParse(members);
  if (!parsed.success) throw invalidValue('Members are a list of objects with the id of a user as value');
  return (parsed.data ?? []).map(({ value: id }) => id);
}

function membersAfter(before: ReadonlySet<string>, { op, selected, value }: Change): ReadonlySet<string> {
  if (op === 'remove') {
    const ids = selected === undefined ? idsIn(value) : [selected.toLowerCase()];
    // Without a filter and a list, all of them go.
    return ids.length || value !== undefined ? before.difference(new Set(ids)) : new Set();
  }
  const ids = new Set(idsIn(value));
  return op === 'add' ? before.union(ids) : ids;
}

/** The group after these changes. Attributes that a group does not have here are left out, as /Schemas says. */
export function changeGroup(before: WantedGroup, changes: readonly Change[]): WantedGroup {
  const after = { ...before };
  for (const change of changes) {
    const { op, attribute, value } = change;
    if (attribute === 'members') after.members = membersAfter(after.members, change);
    else if (attribute === 'displayname') {
      const parsed = scimGroupInput.shape.displayName.safeParse(op === 'remove' ? null : value);
      if (!parsed.success) throw invalidValue('displayName is a text');
      after.name = parsed.data.trim();
    } else if (attribute === 'externalid') {
      const parsed = scimGroupInput.shape.externalId.safeParse(op === 'remove' ? null : value);
      if (!parsed.success) throw invalidValue('externalId is a text');
      after.external_id = parsed.data ?? null;
    } else if (op === 'remove' && (attribute === 'id' || attribute === 'meta'))
      throw mutability(`${attribute} can not be changed`);
  }
  if (!after.name) throw invalidValue('displayName is needed');
  return after;
}
