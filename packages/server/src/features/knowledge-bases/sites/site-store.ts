import type { Site, SitePage } from '@atrium/contract/knowledge-bases/sites/schema.ts';
import type { ListFilter } from '@atrium/contract/list-query.ts';
import type { PageWindow } from '@atrium/contract/page.ts';
import type { Db } from '../../../db/database.ts';
import { type ListColumns, listConditions, oldestFirst } from '../../../db/list-query.ts';
import { readPage } from '../../../db/read-page.ts';
import { nothing, sql } from '../../../db/sql.ts';
import { normalizeFolder } from '../documents/folder-path.ts';
import { isVisible, type Visible, visibleToColumn } from '../rights/rights-store.ts';

export interface SiteRef {
  workspace_id: string;
  kb_id: string;
  site_id: string;
}

/** The condition that a page has no document that the caller does not see. */
const pageIsVisible = (visible: Visible) =>
  visible === 'all'
    ? nothing
    : sql`and not exists (select from kb_documents d where d.workspace_id = kb_site_pages.workspace_id
        and d.kb_id = kb_site_pages.kb_id and d.site_id = kb_site_pages.site_id and d.source_url = kb_site_pages.url
        and not ${isVisible(sql`d`, visible)})`;

/** The counts are of visible documents and of pages without a document that is not. */
const columns = (
  visible: Visible,
) => sql`s.id, s.workspace_id as group_id, s.kb_id, s.url, coalesce(s.given_prefix, s.prefix) as prefix, s.depth, s.max_pages, s.schedule, s.on_gone,
  ${visibleToColumn(sql`s`)} as visible_to,
  case when s.current_run is null then 'idle' else 'crawling' end as status, s.current_run as run_id, s.crawled_at, s.next_at,
  s.error, (select count(*)::int from kb_documents d where d.workspace_id = s.workspace_id and d.kb_id = s.kb_id
    and d.site_id = s.id and ${isVisible(sql`d`, visible)}) as documents,
  coalesce((select json_object_agg(p.state, p.n) from (select state, count(*)::int as n from kb_site_pages
    where workspace_id = s.workspace_id and kb_id = s.kb_id and site_id = s.id ${pageIsVisible(visible)} group by state) p), '{}') as pages,
  s.created_at, s.updated_at, s.etag::text as etag`;

export const findSite = (db: Db, workspace_id: string, kb_id: string, id: string, visible: Visible) =>
  db.row<Site>(sql`
    select ${columns(visible)} from kb_sites s
    where s.workspace_id = ${workspace_id} and s.kb_id = ${kb_id} and s.id = ${id} and ${isVisible(sql`s`, visible)}`);

const listColumns: ListColumns = {
  id: sql`s.id`,
  created_at: sql`s.created_at`,
  updated_at: sql`s.updated_at`,
  search: [sql`s.url`],
  sort: { url: sql`lower(s.url)`, updated_at: sql`s.updated_at` },
};

export async function listSites(
  db: Db,
  workspace_id: string,
  kb_id: string,
  filter: ListFilter,
  window: PageWindow,
  visible: Visible,
) {
  const where = sql`s.workspace_id = ${workspace_id} and s.kb_id = ${kb_id} and ${isVisible(sql`s`, visible)}
    ${listConditions(listColumns, filter)}`;
  return readPage<Site>(db, { columns: columns(visible), from: sql`kb_sites s`, where, list: listColumns, window });
}

export async function listPages(
  db: Db,
  { workspace_id, kb_id, site_id }: SiteRef,
  { state, visible }: { state: string | undefined; visible: Visible },
  window: PageWindow,
) {
  const where = sql`workspace_id = ${workspace_id} and kb_id = ${kb_id} and site_id = ${site_id}
    ${state === undefined ? nothing : sql`and state = ${state}`} ${pageIsVisible(visible)}`;
  return readPage<SitePage>(db, {
    ...{ columns: sql`url, depth, state, reason`, from: sql`kb_site_pages`, where },
    ...{ list: { id: sql`seq`, created_at: sql`seq` }, order: oldestFirst, window },
  });
}

export interface SiteFields {
  depth?: number | undefined;
  max_pages?: number | undefined;
  /** Null ends the schedule. */
  schedule?: string | null | undefined;
  next_at?: Date | null | undefined;
  on_gone?: string | undefined;
  /** As stored; null: everybody. */
  visible_to?: readonly string[] | null | undefined;
}

/** The same address in the same folder is one site: it gets the new crawl settings. */
export async function upsertSite(
  db: Db,
  workspace_id: string,
  kb_id: string,
  { id, url, prefix, ...fields }: { id: string; url: string; prefix: string } & SiteFields,
): Promise<string> {
  const row = await db.row<{ id: string }>(sql`
    insert into kb_sites (workspace_id, kb_id, id, url, prefix, given_prefix, depth, max_pages, schedule, next_at, on_gone, visible_to)
    values (${workspace_id}, ${kb_id}, ${id}, ${url}, ${normalizeFolder(prefix)}, ${prefix.toWellFormed()}, ${fields.depth ?? 2}, ${fields.max_pages ?? 100},
      ${fields.schedule ?? null}, ${fields.next_at ?? null}, ${fields.on_gone ?? 'remove'}, ${fields.visible_to ?? null}::text[])
    on conflict (workspace_id, kb_id, url, prefix) do update set given_prefix = excluded.given_prefix, depth = excluded.depth, max_pages = excluded.max_pages,
      schedule = excluded.schedule, next_at = excluded.next_at, on_gone = excluded.on_gone,
      visible_to = ${fields.visible_to === undefined ? sql`kb_sites.visible_to` : sql`excluded.visible_to`}, updated_at = now()
    returning id`);
  return row?.id ?? id;
}

export const changeSite = (db: Db, workspace_id: string, kb_id: string, id: string, fields: SiteFields) =>
  db.run(sql`
    update kb_sites set depth = coalesce(${fields.depth ?? null}, depth),
      max_pages = coalesce(${fields.max_pages ?? null}, max_pages), on_gone = coalesce(${fields.on_gone ?? null}, on_gone),
      ${fields.visible_to === undefined ? nothing : sql`visible_to = ${fields.visible_to}::text[],`}
      ${fields.schedule === undefined ? nothing : sql`schedule = ${fields.schedule}, next_at = ${fields.next_at ?? null},`}
      updated_at = now()
    where workspace_id = ${workspace_id} and kb_id = ${kb_id} and id = ${id}`);

export const deleteSite = (db: Db, workspace_id: string, kb_id: string, id: string) =>
  db.run(sql`delete from kb_sites where workspace_id = ${workspace_id} and kb_id = ${kb_id} and id = ${id}`);

/** Turns the documents of a site into ordinary documents. */
export const detachDocuments = (db: Db, workspace_id: string, kb_id: string, id: string) =>
  db.run(sql`
    update kb_documents set site_id = null where workspace_id = ${workspace_id} and kb_id = ${kb_id} and site_id = ${id}`);

/** Locks the site until the transaction ends. */
export const lockSite = (tx: Db, { workspace_id, kb_id, site_id }: SiteRef) =>
  tx.row<{ url: string; schedule: string | null; current_run: string | null }>(sql`
    select url, schedule, current_run from kb_sites
    where workspace_id = ${workspace_id} and kb_id = ${kb_id} and id = ${site_id} for update`);

/** Deletes the pages of the last crawl and queues the first page. */
export async function beginCrawl(
  tx: Db,
  { workspace_id, kb_id, site_id }: SiteRef,
  { run_id, url, next_at }: { run_id: string; url: string; next_at: Date | null },
): Promise<void> {
  await tx.run(sql`
    delete from kb_site_pages where workspace_id = ${workspace_id} and kb_id = ${kb_id} and site_id = ${site_id}`);
  await tx.run(sql`
    insert into kb_site_pages (workspace_id, kb_id, site_id, url, depth, state)
    values (${workspace_id}, ${kb_id}, ${site_id}, ${url}, 0, 'waiting')`);
  await tx.run(sql`
    update kb_sites set current_run = ${run_id}, robots = null, cut = false, error = null, next_at = ${next_at},
      updated_at = now()
    where workspace_id = ${workspace_id} and kb_id = ${kb_id} and id = ${site_id}`);
}

/** Sites of all workspaces whose next crawl is due. */
export const dueSites = (db: Db) =>
  db.rows<SiteRef>(sql`
    select workspace_id, kb_id, id as site_id from kb_sites where next_at <= now() order by next_at limit 100`);

export const isCrawling = async (db: Db, workspace_id: string, kb_id: string) =>
  (await db.row(sql`
    select 1 from kb_sites where workspace_id = ${workspace_id} and kb_id = ${kb_id} and current_run is not null limit 1`)) !==
  undefined;
