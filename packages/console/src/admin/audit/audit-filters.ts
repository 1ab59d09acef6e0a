import type { QueryOf } from '@atrium/sdk';
import { startOfDaysAgo } from '../../lib/calendar.ts';
import { currentTimeZone } from '../../lib/time.ts';
import type { AdminSearch } from '../routes.tsx';

type AuditQuery = QueryOf<'audit.list'>;

/** The time range of a choice, in whole days of the person's zone. */
export function rangeOf(
  when: string | undefined,
  now = new Date(),
  zone = currentTimeZone(),
): { since?: string; until?: string } {
  const at = (daysAgo: number) => new Date(startOfDaysAgo(daysAgo, now, zone)).toISOString();
  if (when === 'today') return { since: at(0) };
  if (when === 'yesterday') return { since: at(1), until: at(0) };
  if (when === '7' || when === '30') return { since: at(Number(when) - 1) };
  return {};
}

/** The filters of the address as the server takes them. */
export function auditFilters(search: AdminSearch, zone = currentTimeZone()): AuditQuery {
  const { who, what, where, outcome, record, when } = search;
  return {
    ...(who && { person_id: who }),
    ...(what && { operation: what }),
    ...(where === 'organization' ? { organization: true } : where ? { group_id: where } : {}),
    ...(outcome === 'done' || outcome === 'refused' ? { outcome } : {}),
    ...(record && { target_id: record }),
    ...rangeOf(when, new Date(), zone),
  };
}
