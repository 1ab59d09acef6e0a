import type { SparseKbSettings } from '@atrium/contract/knowledge-bases/settings/keys.ts';
import type { SitePage } from '@atrium/contract/knowledge-bases/sites/schema.ts';
import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import type { SiteRef } from './site-store.ts';

const of = ({ workspace_id, kb_id, site_id }: SiteRef) =>
  sql`workspace_id = ${workspace_id} and kb_id = ${kb_id} and site_id = ${site_id}`;

export interface CrawlRow {
  tenant_id: string;
  url: string;
  prefix: string;
  depth: number;
  max_pages: number;
  on_gone: 'remove' | 'mark';
  robots: string | null;
  cut: boolean;
  settings: SparseKbSettings;
}

/** The site, unless another crawl has replaced this one. */
export const crawlRow = (db: Db, { workspace_id, kb_id, site_id }: SiteRef, run_id: string) =>
  db.row<CrawlRow>(sql`
    select w.tenant_id, s.url, coalesce(s.given_prefix, s.prefix) as prefix, s.depth, s.max_pages, s.on_gone, s.robots, s.cut, b.settings from kb_sites s
    join knowledge_bases b on b.workspace_id = s.workspace_id and b.id = s.kb_id
    join workspaces w on w.id = s.workspace_id
    where s.workspace_id = ${workspace_id} and s.kb_id = ${kb_id} and s.id = ${site_id} and s.current_run = ${run_id}`);

/** Who sees the documents of a site; a change of it waits for the transaction. */
export const lockVisibleTo = async (tx: Db, { workspace_id, kb_id, site_id }: SiteRef) =>
  (
    await tx.one<{ visible_to: string[] | null }>(sql`
      select visible_to from kb_sites where workspace_id = ${workspace_id} and kb_id = ${kb_id} and id = ${site_id}
      for share`)
  ).visible_to;

export const storeRobots = (db: Db, { workspace_id, kb_id, site_id }: SiteRef, robots: string) =>
  db.run(sql`
    update kb_sites set robots = ${robots} where workspace_id = ${workspace_id} and kb_id = ${kb_id} and id = ${site_id}`);

export interface Page {
  url: string;
  depth: number;
  tries: number;
}

/** The next waiting page, in the order of discovery; counts the attempt. */
export const nextPage = (db: Db, place: SiteRef) =>
  db.row<Page>(sql`
    update kb_site_pages set tries = tries + 1 where ${of(place)} and url = (
      select url from kb_site_pages where ${of(place)} and state = 'waiting' order by depth, seq limit 1)
    returning url, depth, tries`);

export const endPage = (
  db: Db,
  place: SiteRef,
  url: string,
  { state, reason = null, hash = null }: { state: SitePage['state']; reason?: string | null; hash?: string | null },
) =>
  db.run(sql`
    update kb_site_pages set state = ${state}, reason = ${reason}, hash = ${hash} where ${of(place)} and url = ${url}`);

/**
 * Pages that were found, each once. There are never more that will be asked for than the site allows; that some were left
 * alone is noted.
 */
export async function addPages(
  tx: Db,
  place: SiteRef,
  depth: number,
  max_pages: number,
  { urls, forbidden }: { urls: readonly string[]; forbidden: readonly string[] },
): Promise<void> {
  const { workspace_id, kb_id, site_id } = place;
  await tx.run(sql`
    with fresh as (
      select u.url, row_number() over (order by u.at) as n from unnest(${urls}::text[]) with ordinality as u (url, at)
      where not exists (select from kb_site_pages p where p.workspace_id = ${workspace_id} and p.kb_id = ${kb_id}
        and p.site_id = ${site_id} and p.url = u.url)),
    room as (select ${max_pages}::int - count(*) as left from kb_site_pages where ${of(place)} and state <> 'skipped'),
    cut as (
      update kb_sites set cut = true where workspace_id = ${workspace_id} and kb_id = ${kb_id} and id = ${site_id}
        and (select count(*) from fresh) > (select room.left from room))
    insert into kb_site_pages (workspace_id, kb_id, site_id, url, depth, state)
    select ${workspace_id}, ${kb_id}, ${site_id}, url, ${depth}, 'waiting' from fresh, room where n <= room.left
    order by n`);
  await tx.run(sql`
    insert into kb_site_pages (workspace_id, kb_id, site_id, url, depth, state, reason)
    select ${workspace_id}, ${kb_id}, ${site_id}, url, ${depth}, 'skipped', 'robots.txt asks not to read it'
    from unnest(${forbidden.slice(0, 100)}::text[]) as u (url)
    where (select count(*) from kb_site_pages where ${of(place)} and state = 'skipped') < ${max_pages}
    on conflict do nothing`);
}

/** Whether another page of this crawl says the same. */
export const findDuplicatePage = (db: Db, place: SiteRef, url: string, hash: string) =>
  db.row<{ url: string }>(sql`
    select url from kb_site_pages where ${of(place)} and hash = ${hash} and url <> ${url}
      and state in ('added', 'changed', 'unchanged') limit 1`);

export interface PageDocument {
  id: string;
  status: string;
  file_id: string | null;
  owns_file: boolean;
  page_hash: string | null;
  page_etag: string | null;
}

export const pageDocument = (db: Db, { workspace_id, kb_id, site_id }: SiteRef, url: string) =>
  db.row<PageDocument>(sql`
    select id, status, file_id, owns_file, page_hash, page_etag from kb_documents
    where workspace_id = ${workspace_id} and kb_id = ${kb_id} and site_id = ${site_id} and source_url = ${url}`);

/** Stores hash and ETag of the fetched page; a page that was marked as gone is back. */
export const touchPageDocument = (
  db: Db,
  { workspace_id, kb_id, site_id }: SiteRef,
  id: string,
  page: { hash: string; etag: string | null; file_id?: string; size?: number; doc_type?: string },
) =>
  db.run(sql`
    update kb_documents set page_hash = ${page.hash}, page_etag = ${page.etag}, file_id = coalesce(${page.file_id ?? null}, file_id),
      owns_file = true, size = coalesce(${page.size ?? null}::bigint, size), doc_type = coalesce(${page.doc_type ?? null}, doc_type),
      site_id = ${site_id}, source_metadata = json_build_object('site_id', ${site_id}::uuid, 'fetched_at', now())
    where workspace_id = ${workspace_id} and kb_id = ${kb_id} and id = ${id}`);

/** Documents whose pages are no longer there. Of a crawl that was cut short only those that said so. */
export const findGoneDocuments = (db: Db, place: SiteRef, cut: boolean) =>
  db.rows<{ id: string }>(sql`
    select d.id from kb_documents d
    left join kb_site_pages p on p.workspace_id = d.workspace_id and p.kb_id = d.kb_id and p.site_id = d.site_id
      and p.url = d.source_url
    where d.workspace_id = ${place.workspace_id} and d.kb_id = ${place.kb_id} and d.site_id = ${place.site_id}
      and (p.state in ('gone', 'skipped') ${cut ? sql`` : sql`or p.url is null`})
    order by d.id`);

/** `gone_at` in what is known of its source. */
export const markGone = (db: Db, { workspace_id, kb_id }: SiteRef, ids: readonly string[]) =>
  db.run(sql`
    update kb_documents set source_metadata = (coalesce(source_metadata::jsonb, '{}') || jsonb_build_object('gone_at', now()))::json
    where workspace_id = ${workspace_id} and kb_id = ${kb_id} and id = any(${ids}::uuid[])
      and source_metadata -> 'gone_at' is null`);

export interface CrawlCounts {
  waiting: number;
  done: number;
  states: Record<string, number>;
  /** Why the first page brought nothing. */
  first_reason: string | null;
}

export const countPages = async (db: Db, place: SiteRef): Promise<CrawlCounts> =>
  await db.one<CrawlCounts>(sql`
    select count(*) filter (where state = 'waiting')::int as waiting, count(*) filter (where state <> 'waiting')::int as done,
      coalesce((select json_object_agg(state, n) from (select state, count(*)::int as n from kb_site_pages where ${of(place)}
        group by state) s), '{}') as states,
      (select reason from kb_site_pages where ${of(place)} and depth = 0 order by seq desc limit 1) as first_reason
    from kb_site_pages where ${of(place)}`);

export const endCrawl = (
  db: Db,
  { workspace_id, kb_id, site_id }: SiteRef,
  run_id: string,
  error: { code: string; message: string } | null,
) =>
  db.run(sql`
    update kb_sites set current_run = null, crawled_at = now(), error = ${error && JSON.stringify(error)}, updated_at = now()
    where workspace_id = ${workspace_id} and kb_id = ${kb_id} and id = ${site_id} and current_run = ${run_id}`);

export const siteDocuments = async (db: Db, { workspace_id, kb_id, site_id }: SiteRef) =>
  (
    await db.rows<{ id: string }>(sql`
    select id from kb_documents where workspace_id = ${workspace_id} and kb_id = ${kb_id} and site_id = ${site_id}`)
  ).map(({ id }) => id);
