import type { Metric } from '@atrium/contract/analytics/schema.ts';
import { invalid } from '@atrium/contract/errors.ts';
import type { Database } from '../../db/database.ts';
import type { Scope } from '../../lib/scope.ts';
import {
  type ConversationGrouping,
  hasConversationFigures,
  listConversationFigures,
  type WantedGroups,
} from './conversation-figure-store.ts';

/** Figures by what belongs to conversations. They are read from facts, which are kept for 90 days. */
export interface ConversationFigures {
  /** Throws for metrics and times that there are no such figures of. */
  requireKnown(metrics: readonly Metric[], group: ConversationGrouping, time_start: string): void;
  list(scope: Scope, wanted: WantedGroups): Promise<{ id: string | null; label: string; value: number }[]>;
}

export const factsKeptFor = 90 * 86_400_000;

export const isOfConversations = (group: string): group is ConversationGrouping =>
  group === 'channel' || group === 'topic' || group === 'tool';

export function makeConversationFigures(deps: {
  db: Database;
  topicNames(workspace_id: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}): ConversationFigures {
  return {
    requireKnown(metrics, group, time_start) {
      const unknown = metrics.find((metric) => !hasConversationFigures(metric, group));
      if (unknown) throw invalid(['query', 'metrics'], `there are no figures of ${unknown} by ${group}`, unknown);
      if (Date.parse(time_start) < Date.now() - factsKeptFor)
        throw invalid(['query', 'time_start'], `by ${group} there are figures of the last 90 days`, time_start);
    },

    async list(scope, wanted) {
      const rows = await listConversationFigures(deps.db, scope.workspace_id, wanted);
      const keys = rows.flatMap(({ key }) => key ?? []);
      const names =
        wanted.group === 'topic' ? await deps.topicNames(scope.workspace_id, keys) : new Map<string, string>();
      return rows.map(({ key, value }) => ({
        ...{ id: key, label: key === null ? 'none' : (names.get(key) ?? key), value },
      }));
    },
  };
}
