import type { QueryOf } from '@atrium/sdk';
import type { AdminSearch } from '../routes.tsx';

type AuditQuery = QueryOf<'audit.list'>;
const day = 86_400_000;

/** The time range of a choice, in whole days of the browser's zone. */
export function rangeOf(when: string | undefined, now = new Date()): { since?: string; until?: string } {
  const midnight = new Date(now);
  midnight.setHours(0, 0, 0, 0);
  const at = (daysBack: number) => new Date(midnight.getTime() - daysBack * day).toISOString();
  if (when === 'today') return { since: at(0) };
  if (when === 'yesterday') return { since: at(1), until: at(0) };
  if (when === '7' || when === '30') return { since: at(Number(when) - 1) };
  return {};
}

/** The filters of the address as the server takes them. */
export function auditFilters(search: AdminSearch): AuditQuery {
  const { who, what, where, outcome, record, when } = search;
  return {
    ...(who && { person_id: who }),
    ...(what && { operation: what }),
    ...(where === 'organization' ? { organization: true } : where ? { group_id: where } : {}),
    ...(outcome === 'done' || outcome === 'refused' ? { outcome } : {}),
    ...(record && { target_id: record }),
    ...rangeOf(when),
  };
}
