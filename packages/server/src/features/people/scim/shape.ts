import type { ScimList, ScimListQuery, ScimQuery } from '@atrium/contract/scim/schema.ts';
import { listUrn } from '@atrium/contract/scim/urns.ts';

const mostOnPage = 200;

/** The window that a list query reads; numbers out of range are moved into it, as SCIM asks. */
export function windowOf({ startIndex, count }: ScimListQuery): { start: number; offset: number; limit: number } {
  const start = Math.min(Math.max(1, startIndex), 1_000_000_000);
  return { start, offset: start - 1, limit: Math.min(Math.max(0, count), mostOnPage) };
}

export const listOf = <T>(Resources: T[], totalResults: number, startIndex = 1): ScimList<T> => ({
  ...{ schemas: [listUrn], totalResults, startIndex, itemsPerPage: Resources.length, Resources },
});

const namesIn = (text: string | undefined) =>
  text?.split(',').map(
    (name) =>
      name
        .trim()
        .replace(/^urn:.*:/i, '')
        .toLowerCase()
        .split('.', 1)[0],
  );

/** Whether a request wants an attribute. `id` and `schemas` are always returned. */
export function wants({ attributes, excludedAttributes }: ScimQuery, name: string): boolean {
  const folded = name.toLowerCase();
  if (folded === 'id' || folded === 'schemas') return true;
  const only = namesIn(attributes);
  return only ? only.includes(folded) : !namesIn(excludedAttributes)?.includes(folded);
}

/** The attributes of a resource that a request wants. */
export const pick = <T extends object>(query: ScimQuery, resource: T): T =>
  Object.fromEntries(
    Object.entries(resource).filter(([name, value]) => value !== undefined && wants(query, name)),
  ) as T;
