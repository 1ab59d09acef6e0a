import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SitePage } from '@atrium/contract/knowledge-bases/sites/schema.ts';
import type { Database, Db } from '../../../db/database.ts';
import type { PageReader } from '../../../drivers/extractors/driver.ts';
import type { Web } from '../../../drivers/web/driver.ts';
import type { JobContext } from '../../../lib/define-job.ts';
import { newId } from '../../../lib/ids.ts';
import { errorFields } from '../../../lib/log.ts';
import { isDatabaseOutage } from '../../../lib/outages/database-outages.ts';
import type { Scope } from '../../../lib/scope.ts';
import { systemScope } from '../../../lib/system-scope.ts';
import type { Files, ReceivedFile } from '../../files/service.ts';
import { insertDocuments } from '../documents/document-store.ts';
import { removeDocuments, removeFiles } from '../documents/remove-documents.ts';
import * as runs from '../ingest/ingestion-run-store.ts';
import type { StartTrainings } from '../ingest/start-trainings.ts';
import type { KbQueue } from '../ports.ts';
import { type Fetched, type FetchPage, linksFrom } from './fetch-page.ts';
import { isSameSite, mayHoldText, nameOfAddress } from './page-address.ts';
import * as store from './page-store.ts';
import { fetchRobots, type Robots, readRobots } from './robots.ts';
import type { SiteRef } from './site-store.ts';

export interface CrawlDeps {
  db: Database;
  files: Files;
  web: Web;
  fetchPage: FetchPage;
  readPage: PageReader;
  queue: KbQueue;
  trainings: StartTrainings;
}

/** A job crawls for so long, then it queues the next job. It waits for the next page at most so long itself. */
const [slice_ms, longestWait_ms] = [5000, 1000];
/** The pause between two pages is as long as the site took to answer, within these bounds. */
const [leastPause_ms, mostPause_ms] = [100, 5000];
const [mostTries, mostPostponements] = [12, 3];

type PageOutcome = { state: SitePage['state']; reason?: string | null; hash?: string | null };

export type CrawlSite = (context: JobContext, site: SiteRef & { run_id: string }) => Promise<void>;

/** Crawls a site page by page. Each page with its consequences is one transaction, so a crash costs one page at most. */
export function makeCrawlSite(deps: CrawlDeps): CrawlSite {
  const { db, files, queue } = deps;

  /** The links within the site, split by whether robots.txt allows them. */
  function sortLinks(site: store.CrawlRow, robots: Robots, links: readonly string[]) {
    const own = [...new Set(links)].filter((link) => isSameSite(link, site.url) && mayHoldText(link));
    return { urls: own.filter(robots.allows), forbidden: own.filter((link) => !robots.allows(link)) };
  }

  /** Stores a new or changed page as a document and starts its training. */
  async function storePage(tx: Db, place: SiteRef, site: store.CrawlRow, page: Fetched, saved: ReceivedFile) {
    const before = await store.pageDocument(tx, place, page.url);
    const id = before?.id ?? newId();
    if (!before)
      await insertDocuments(tx, place.workspace_id, place.kb_id, [
        {
          id,
          name: (page.title ?? nameOfAddress(page.url)).slice(0, 500),
          prefix: site.prefix,
          status: 'uploaded',
          size: saved.size,
          source_type: 'website',
          file_id: saved.id,
          owns_file: true,
          source_url: page.url,
          doc_type: saved.content_type,
          doc_metadata: {},
          // Read now: it may have been changed since the crawl began.
          visible_to: await store.lockVisibleTo(tx, place),
        },
      ]);
    const { hash, etag } = page;
    await store.touchPageDocument(tx, place, id, {
      hash,
      etag,
      file_id: saved.id,
      size: saved.size,
      doc_type: saved.content_type,
    });
    await deps.trainings.startAgain(tx, place, site.settings, [id]);
    return {
      state: before ? ('changed' as const) : ('added' as const),
      outdated: before?.owns_file ? before.file_id : null,
    };
  }

  async function storedLinks(scope: Scope, document: store.PageDocument, url: string): Promise<string[]> {
    if (document.file_id === null) return [];
    // A stored page that can't be read again only means that its links are not followed this time.
    const page = await deps.readPage(await files.read(scope, document.file_id), scope.signal).catch(() => undefined);
    return page ? linksFrom(page.links, page.base, url) : [];
  }

  /** Visits one page; returns in how many milliseconds to try it again, or undefined when it is done. */
  async function visitPage(scope: Scope, place: SiteRef, site: store.CrawlRow, robots: Robots, page: store.Page) {
    const end = (outcome: PageOutcome, links: readonly string[] = [], depth = page.depth + 1) =>
      db.transaction(undefined, async (tx) => {
        await store.endPage(tx, place, page.url, outcome);
        if (links.length && depth <= site.depth)
          await store.addPages(tx, place, depth, site.max_pages, sortLinks(site, robots, links));
      });
    if (page.tries > mostTries)
      return end({ state: 'failed', reason: 'It was begun again and again and never finished' });
    if (!robots.allows(page.url)) return end({ state: 'skipped', reason: 'robots.txt asks not to read it' });
    const before = await store.pageDocument(db, place, page.url);
    const settled = before && before.status !== 'error' && before.file_id !== null;
    const fetched = await deps.fetchPage(page.url, settled ? before.page_etag : null, scope.signal);
    switch (fetched.kind) {
      case 'later':
        if (page.tries <= mostPostponements) return fetched.after_ms;
        return end({ state: 'failed', reason: 'It asks to come back later, again and again' });
      case 'moved':
        if (fetched.to === undefined || !isSameSite(fetched.to, site.url))
          return end({ state: 'skipped', reason: 'It leads to another site' });
        return end({ state: 'skipped', reason: `It leads to ${fetched.to}` }, [fetched.to], page.depth);
      case 'same':
        return end(
          { state: 'unchanged', hash: before?.page_hash ?? null },
          await storedLinks(scope, before as store.PageDocument, page.url),
        );
      case 'page':
        break;
      default:
        return end({ state: fetched.kind, reason: fetched.reason });
    }
    const { hash, links, index, etag } = fetched.page;
    if (!index) return end({ state: 'skipped', reason: 'It asks not to be kept' }, links);
    const duplicate = await store.findDuplicatePage(db, place, page.url, hash);
    if (duplicate) return end({ state: 'skipped', reason: `It says the same as ${duplicate.url}` }, links);
    if (settled && before.page_hash === hash) {
      await store.touchPageDocument(db, place, before.id, { hash, etag });
      return end({ state: 'unchanged', hash }, links);
    }
    const saved = await files.receive(scope, {
      filename: fetched.page.filename,
      stream: Readable.from([fetched.page.bytes]),
      source_type: 'Website',
      source_metadata: { kb_id: place.kb_id, url: page.url },
    });
    const storing = db.transaction(undefined, async (tx) => {
      await files.record(tx, scope, [saved]);
      const stored = await storePage(tx, place, site, fetched.page, saved);
      await store.endPage(tx, place, page.url, { state: stored.state, hash });
      if (page.depth < site.depth)
        await store.addPages(tx, place, page.depth + 1, site.max_pages, sortLinks(site, robots, links));
      return stored.outdated;
    });
    const outdated = await storing.catch(async (error: unknown) => {
      await files.discard(scope, saved, error);
      throw error;
    });
    if (outdated) await removeFiles(files, scope, [outdated]);
  }

  async function finish(scope: Scope, place: SiteRef, run_id: string, failure?: { code: string; message: string }) {
    const { workspace_id, kb_id } = place;
    const counts = await store.countPages(db, place);
    const kept = ['added', 'changed', 'unchanged'].some((state) => counts.states[state]);
    const nothing = { code: 'nothing_crawled', message: counts.first_reason ?? 'There was nothing to read' };
    const error = failure ?? (kept ? null : nothing);
    const file_ids = await db.transaction(undefined, async (tx) => {
      const site = await store.crawlRow(tx, place, run_id);
      if (!site) return [];
      // After a failed crawl, missing pages may be back tomorrow.
      const gone = error ? [] : (await store.findGoneDocuments(tx, place, site.cut)).map(({ id }) => id);
      let files: string[] = [];
      if (site.on_gone === 'remove') files = (await removeDocuments(tx, queue, place, gone)).file_ids;
      else await store.markGone(tx, place, gone);
      const output = { ...counts.states, documents_gone: gone.length, links_left_out: site.cut };
      await runs.endRun(tx, workspace_id, kb_id, run_id, error, output);
      await store.endCrawl(tx, place, run_id, error);
      return files;
    });
    await removeFiles(files, scope, file_ids);
  }

  async function loadRobots(scope: Scope, place: SiteRef, site: store.CrawlRow): Promise<Robots | { reason: string }> {
    if (site.robots !== null) return readRobots(site.url, site.robots);
    const fetched = await fetchRobots(deps.web, site.url, scope.signal);
    if ('reason' in fetched) return fetched;
    await store.storeRobots(db, place, fetched.rules.replaceAll('\0', '').toWellFormed());
    return readRobots(site.url, fetched.rules);
  }

  return async ({ log, signal }, { run_id, ...place }) => {
    const { workspace_id, kb_id } = place;
    const site = await store.crawlRow(db, place, run_id);
    if (!site) return;
    const scope = systemScope({ workspace_id, tenant_id: site.tenant_id }, log, signal);
    const robots = await loadRobots(scope, place, site);
    if ('reason' in robots)
      return finish(scope, place, run_id, {
        code: 'robots_unavailable',
        message: `The site could not say what may be read of it (robots.txt): ${robots.reason}`,
      });
    const until = Date.now() + slice_ms;
    for (;;) {
      const page = await store.nextPage(db, place);
      if (!page) return finish(scope, place, run_id);
      const startedAt = Date.now();
      const again_ms = await visitPage(scope, place, site, robots, page).catch(async (error: unknown) => {
        signal.throwIfAborted();
        // The job is tried again, and goes on with this page unless it was stored.
        if (isDatabaseOutage(error)) throw error;
        log.warn('crawl.page-failed', { site_id: place.site_id, ...errorFields(error) });
        await store.endPage(db, place, page.url, { state: 'failed', reason: 'Something went wrong on our side' });
      });
      const { waiting, done } = await store.countPages(db, place);
      const progress = Math.min(99, Math.floor((100 * done) / (done + waiting)));
      await runs.stepRun(db, workspace_id, kb_id, run_id, { stage: 'crawl', progress });
      if (waiting === 0) return finish(scope, place, run_id);
      const took = Math.min(mostPause_ms, Math.max(leastPause_ms, Date.now() - startedAt));
      const pause = Math.max(took, robots.delay_ms, again_ms ?? 0);
      if (pause > longestWait_ms || Date.now() > until) return queue.crawl(db, place, run_id, pause);
      await sleep(pause, undefined, { signal });
    }
  };
}
