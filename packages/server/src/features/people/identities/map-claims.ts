import type { MappingRow } from './provider-store.ts';

type Claims = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Claims =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value of a claim: by its whole name, as names may have dots, or else by a path into objects. */
export function readClaim(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const part of name.split('.')) {
    if (!isRecord(value) || !Object.hasOwn(value, part)) return undefined;
    value = value[part];
  }
  return value;
}

function fits(claims: Claims, { claim, value }: MappingRow): boolean {
  if (claim === null) return true;
  const held = readClaim(claims, claim);
  return Array.isArray(held) ? held.includes(value) : held === value;
}

/**
 * The role that the claims give in each workspace: of the first entry that fits. The default, which has no claim, comes
 * last and is for accounts that the provider created.
 */
export function mapClaims(
  claims: Claims,
  mappings: readonly MappingRow[],
  { created_account }: { created_account: boolean },
): Map<string, string> {
  const roles = new Map<string, string>();
  const ordered = [
    ...mappings.filter(({ claim }) => claim !== null),
    ...mappings.filter(({ claim }) => claim === null && created_account),
  ];
  for (const mapping of ordered)
    if (!roles.has(mapping.workspace_id) && fits(claims, mapping)) roles.set(mapping.workspace_id, mapping.role_id);
  return roles;
}
