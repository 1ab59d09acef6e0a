import type { RunStatus } from '@atrium/contract/conversations/schema.ts';
import type { ListFilter } from '@atrium/contract/list-query.ts';
import type { PageWindow } from '@atrium/contract/page.ts';
import { countFacets } from '../../../db/count-facets.ts';
import type { Db } from '../../../db/database.ts';
import { type ListColumns, type ListOrder, listConditions, orderOf, orderSql } from '../../../db/list-query.ts';
import { type PageRows, readPage } from '../../../db/read-page.ts';
import { join, type Sql, sql } from '../../../db/sql.ts';
import { type MarkFilter, markConditions } from '../marks/mark-store.ts';
import { sharedWith } from '../shares/share-store.ts';
import { baseColumns, type ConversationRow, ownColumns, withBase } from '../store.ts';

export interface ConversationFilter extends ListFilter {
  assistant_id?: string | undefined;
  assistant_version_id?: string | undefined;
  status?: RunStatus | undefined;
  channel?: string | undefined;
  deployment_id?: string | undefined;
  person_id?: string | undefined;
  locked?: boolean | undefined;
  tag?: string | undefined;
  /** Conditions on what this person has marked. */
  marks?: MarkFilter | undefined;
  include_empty: boolean;
  /** Only conversations of this person or service account. */
  only_of: string | undefined;
  /** Only conversations of others that are shared with this person. */
  shared_with?: string | undefined;
  /** Statements that select the ids of conversations; only these. */
  among?: readonly Sql[];
}

const listColumns: ListColumns = {
  ...{ id: sql`c.id`, created_at: sql`c.created_at`, updated_at: sql`c.last_updated_at`, search: [sql`c.name`] },
  sort: { name: sql`lower(c.name)`, last_updated_at: sql`c.last_updated_at` },
};

/** Conditions with an index of their own; each is a text of the statement that PostgreSQL knows the index by. */
function matching(workspace_id: string, filter: ConversationFilter): Sql {
  const conditions = [sql`c.workspace_id = ${workspace_id}`];
  const equal = (column: Sql, value: string | undefined) =>
    value === undefined ? [] : conditions.push(sql`${column} = ${value}`);
  if (!filter.include_empty) conditions.push(sql`c.message_count > 0`);
  equal(sql`c.owner_id`, filter.only_of);
  equal(sql`c.owner_id`, filter.person_id);
  equal(sql`c.assistant_id`, filter.assistant_id);
  equal(sql`c.assistant_version_id`, filter.assistant_version_id);
  equal(sql`c.status`, filter.status);
  equal(sql`c.chat_transport`, filter.channel);
  equal(sql`c.deployment_id`, filter.deployment_id);
  if (filter.locked !== undefined) conditions.push(filter.locked ? sql`c.is_locked` : sql`not c.is_locked`);
  if (filter.tag !== undefined) conditions.push(sql`c.tags @> ${[filter.tag]}::text[] and c.tags <> '{}'`);
  if (filter.shared_with !== undefined)
    conditions.push(
      sql`c.person_id is distinct from ${filter.shared_with} and c.id in (${sharedWith(workspace_id, filter.shared_with)})`,
    );
  if (filter.marks) conditions.push(...markConditions(workspace_id, filter.marks));
  for (const ids of filter.among ?? []) conditions.push(sql`c.id in (${ids})`);
  return sql`${join(conditions, sql` and `)} ${listConditions(listColumns, filter)}`;
}

const lastChangedFirst: ListOrder = { by: sql`c.last_updated_at`, down: true };
const orderBy = ({ sort }: ConversationFilter) => orderSql(listColumns, orderOf(listColumns, sort, lastChangedFirst));

export async function listConversations(
  db: Db,
  workspace_id: string,
  filter: ConversationFilter,
  window: PageWindow,
): Promise<PageRows<ConversationRow>> {
  const where = matching(workspace_id, filter);
  const columns = sql`${ownColumns}, ${baseColumns}`;
  return readPage<ConversationRow>(db, {
    ...{ columns, from: sql`conversations c`, where, list: listColumns, order: lastChangedFirst, window },
    // The page is cut before agents and versions are joined.
    statement: ({ position, after, order, limit }) => sql`
      select ${columns}, ${position}
      from (select * from conversations c where ${where} ${after} order by ${order} ${limit}) c ${withBase}
      order by ${order}`,
  });
}

export const countConversationFacets = (db: Db, workspace_id: string, filter: ConversationFilter) =>
  countFacets(
    db,
    sql`from conversations c where ${matching(workspace_id, filter)} order by ${orderBy(filter)}`,
    {
      status: sql`c.status`,
      channel: sql`c.chat_transport`,
      assistant_id: sql`c.assistant_id`,
      locked: sql`c.is_locked`,
    },
    { tag: sql`c.tags` },
  );

/** The columns of summaries: no settings, so neither the agent nor its versions are read. */
export interface SummaryRow {
  id: string;
  name: string | null;
  status: RunStatus;
  created_at: string;
  last_updated_at: string;
  is_locked: boolean;
  manual: boolean;
  assistant_id: string | null;
  channel: string | null;
  message_count: number;
  tags: string[];
  person_id: string | null;
}

export async function listSummaries(
  db: Db,
  workspace_id: string,
  filter: ConversationFilter,
  window: PageWindow,
): Promise<PageRows<SummaryRow>> {
  return readPage<SummaryRow>(db, {
    columns: sql`c.id, c.name, c.status, c.created_at, c.last_updated_at, c.is_locked, c.manual, c.assistant_id,
        c.chat_transport as channel, c.message_count, c.tags, c.person_id`,
    ...{ from: sql`conversations c`, where: matching(workspace_id, filter), list: listColumns },
    ...{ order: lastChangedFirst, window },
  });
}
