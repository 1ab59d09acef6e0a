import { invalid, notFound } from '@atrium/contract/errors.ts';
import type { Site, SiteCreate, SitePage, SitePatch } from '@atrium/contract/knowledge-bases/sites/schema.ts';
import type { ListFilter } from '@atrium/contract/list-query.ts';
import { type Paged, type PageQuery, pageAnswer, pageOf } from '@atrium/contract/page.ts';
import type { Database, Db } from '../../../db/database.ts';
import { newId } from '../../../lib/ids.ts';
import { omit } from '../../../lib/omit.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { Files } from '../../files/service.ts';
import type { TypedAddresses } from '../../typed-addresses/service.ts';
import { setVisibleTo } from '../documents/folder-store.ts';
import { removeDocuments, removeFiles } from '../documents/remove-documents.ts';
import * as runs from '../ingest/ingestion-run-store.ts';
import { settleAfterMs } from '../ingest/start-trainings.ts';
import type { KbQueue } from '../ports.ts';
import type { Rights } from '../rights/rights.ts';
import type { KnowledgeBases } from '../service.ts';
import { markBusy } from '../store.ts';
import { nextCrawlTime } from './next-crawl-time.ts';
import { pageAddress } from './page-address.ts';
import { siteDocuments } from './page-store.ts';
import * as store from './site-store.ts';

/** The web sites that a knowledge base is fed from. */
export interface Sites {
  find(scope: Scope, kb_id: string, id: string): Promise<Site>;
  /** Adds a site, or changes the crawl settings of a known one, and starts a crawl. Returns the ids of site and run. */
  add(
    tx: Db,
    scope: Scope,
    kb_id: string,
    input: Omit<SiteCreate, 'visible_to'> & { visible_to?: readonly string[] | null | undefined },
    loc: readonly string[],
  ): Promise<[site_id: string, run_id: string]>;
  create(scope: Scope, kb_id: string, input: SiteCreate): Promise<Site>;
  list(scope: Scope, kb_id: string, query: PageQuery & ListFilter): Promise<Paged<Site>>;
  pages(
    scope: Scope,
    kb_id: string,
    id: string,
    query: PageQuery & { state?: string | undefined },
  ): Promise<Paged<SitePage>>;
  update(scope: Scope, kb_id: string, id: string, patch: SitePatch): Promise<Site>;
  remove(scope: Scope, kb_id: string, id: string, keep_documents: boolean): Promise<void>;
  /** Starts a crawl unless one runs. */
  crawl(scope: Scope, kb_id: string, id: string): Promise<Site>;
  /** Starts the crawls that are due, of all workspaces. */
  crawlDue(): Promise<void>;
}

/** The crawl settings as they are stored; refuses an invalid or too frequent schedule. */
function storedFields(input: Omit<SitePatch, 'visible_to'>, loc: readonly string[]): store.SiteFields {
  const { schedule, ...fields } = input;
  if (schedule === undefined) return fields;
  if (schedule.trim() === '') return { ...fields, schedule: null, next_at: null };
  const next_at = nextCrawlTime(schedule);
  if (!next_at)
    throw invalid(
      [...loc, 'schedule'],
      'it should have five cron fields (UTC) and come true every 15 minutes at most',
      schedule,
    );
  return { ...fields, schedule: schedule.trim(), next_at };
}

export function makeSites(deps: {
  db: Database;
  bases: KnowledgeBases;
  files: Files;
  queue: KbQueue;
  rights: Rights;
  typedAddresses: TypedAddresses;
}): Sites {
  const { db, bases, files, queue, rights, typedAddresses } = deps;

  const wordsFor = async (scope: Scope, { visible_to }: SitePatch) =>
    visible_to && rights.wordsFor(scope, visible_to, ['body', 'visible_to']);

  async function find(scope: Scope, kb_id: string, id: string, from: Db = db): Promise<Site> {
    const row = await store.findSite(from, scope.workspace_id, kb_id, id, await rights.forLists(scope, kb_id));
    if (!row) throw notFound('site');
    return row;
  }

  /** Starts a crawl unless one runs; returns its run, or undefined when the site is deleted. */
  async function startCrawl(tx: Db, place: store.SiteRef): Promise<string | undefined> {
    const { workspace_id, kb_id, site_id } = place;
    const site = await store.lockSite(tx, place);
    if (!site) return undefined;
    const next_at = (site.schedule && nextCrawlTime(site.schedule)) || null;
    if (site.current_run !== null) {
      await store.changeSite(tx, workspace_id, kb_id, site_id, { schedule: site.schedule, next_at });
      return site.current_run;
    }
    const run = { id: newId(), kind: 'crawl' as const, input: { site_id, url: site.url } };
    await runs.insertRun(tx, workspace_id, kb_id, run);
    await store.beginCrawl(tx, place, { run_id: run.id, url: site.url, next_at });
    await queue.crawl(tx, place, run.id, 0);
    await queue.settle(tx, place, settleAfterMs);
    await markBusy(tx, workspace_id, kb_id);
    return run.id;
  }

  /** The documents of a site are seen by those who see the site. */
  async function showDocuments(tx: Db, place: store.SiteRef, words: readonly string[] | null) {
    await store.lockSite(tx, place);
    await setVisibleTo(tx, place, await siteDocuments(tx, place), words);
    await rights.dropHiddenTables(tx, place);
    await queue.sync(tx, place);
  }

  const add: Sites['add'] = async (tx, scope, kb_id, input, loc) => {
    const url = pageAddress(input.url);
    if (url === undefined) throw invalid([...loc, 'url'], 'an address starts with http:// or https://', input.url);
    typedAddresses.requireReachable(url, [...loc, 'url']);
    const { workspace_id } = scope;
    const { prefix, visible_to, ...settings } = omit(input, ['url']);
    const fields = { id: newId(), url, prefix, visible_to, ...storedFields(settings, loc) };
    const site_id = await store.upsertSite(tx, workspace_id, kb_id, fields);
    if (visible_to !== undefined) await showDocuments(tx, { workspace_id, kb_id, site_id }, visible_to);
    const run_id = await startCrawl(tx, { workspace_id, kb_id, site_id });
    if (run_id === undefined) throw notFound('site');
    return [site_id, run_id] as [string, string];
  };

  return {
    find: (scope, kb_id, id) => find(scope, kb_id, id),
    add,

    async create(scope, kb_id, input) {
      await bases.find(scope, kb_id);
      const words = await wordsFor(scope, input);
      return db.transaction(scope, async (tx) => {
        const [id] = await add(tx, scope, kb_id, { ...input, visible_to: words }, ['body']);
        return find(scope, kb_id, id, tx);
      });
    },

    async list(scope, kb_id, query) {
      await bases.find(scope, kb_id);
      const page = pageOf(query);
      const visible = await rights.forLists(scope, kb_id);
      const { rows, total, last } = await store.listSites(db, scope.workspace_id, kb_id, query, page, visible);
      return pageAnswer(rows, total, page, last);
    },

    async pages(scope, kb_id, id, query) {
      await find(scope, kb_id, id);
      const page = pageOf(query);
      const place = { workspace_id: scope.workspace_id, kb_id, site_id: id };
      const filter = { state: query.state, visible: await rights.forLists(scope, kb_id) };
      const { rows, total, last } = await store.listPages(db, place, filter, page);
      return pageAnswer(rows, total, page, last);
    },

    async update(scope, kb_id, id, patch) {
      await find(scope, kb_id, id);
      const words = await wordsFor(scope, patch);
      const fields = { ...storedFields(omit(patch, ['visible_to']), ['body']), visible_to: words };
      return db.transaction(scope, async (tx) => {
        await store.changeSite(tx, scope.workspace_id, kb_id, id, fields);
        if (words !== undefined)
          await showDocuments(tx, { workspace_id: scope.workspace_id, kb_id, site_id: id }, words);
        return find(scope, kb_id, id, tx);
      });
    },

    async remove(scope, kb_id, id, keep_documents) {
      const place = { workspace_id: scope.workspace_id, kb_id, site_id: id };
      const { run_id } = await find(scope, kb_id, id);
      let file_ids: string[] = [];
      await db.transaction(scope, async (tx) => {
        if (keep_documents) await store.detachDocuments(tx, scope.workspace_id, kb_id, id);
        else file_ids = (await removeDocuments(tx, queue, place, await siteDocuments(tx, place))).file_ids;
        if (run_id !== null) await runs.stopRun(tx, scope.workspace_id, kb_id, run_id);
        if (!(await store.deleteSite(tx, scope.workspace_id, kb_id, id))) throw notFound('site');
      });
      await removeFiles(files, scope, file_ids);
    },

    async crawl(scope, kb_id, id) {
      await find(scope, kb_id, id);
      return db.transaction(scope, async (tx) => {
        await startCrawl(tx, { workspace_id: scope.workspace_id, kb_id, site_id: id });
        return find(scope, kb_id, id, tx);
      });
    },

    async crawlDue() {
      for (const place of await store.dueSites(db)) await db.transaction(undefined, (tx) => startCrawl(tx, place));
    },
  };
}
