import type { QueryOf } from '@atrium/sdk';
import type { AdminSearch } from '../routes.tsx';

type AuditQuery = QueryOf<'audit.list'>;

/** The time range of a choice, in whole days of the browser's zone. */
export function rangeOf(when: string | undefined, now = new Date()): { since?: string; until?: string } {
  // By the calendar: around a clock change a day has 23 or 25 hours.
  const at = (daysBack: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysBack).toISOString();
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
