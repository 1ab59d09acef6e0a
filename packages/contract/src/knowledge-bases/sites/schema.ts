import { z } from 'zod';
import { paged, pageFields } from '../../page.ts';
import * as s from '../../schema/schema.ts';

export const site = z
  .strictObject({
    id: z.guid(),
    group_id: z.guid(),
    kb_id: z.guid(),
    url: z.string(),
    prefix: z.string(),
    depth: z.int(),
    max_pages: z.int(),
    schedule: z.string().nullable(),
    on_gone: z.enum(['remove', 'mark']),
    status: z.enum(['crawling', 'idle']),
    /** The crawl under way. */
    run_id: z.guid().nullable(),
    crawled_at: z.iso.datetime().nullable(),
    next_at: z.iso.datetime().nullable(),
    /** Why the last crawl brought nothing. */
    error: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
    documents: z.int(),
    /** The pages of the last crawl, or of the one under way, by what became of them. */
    pages: z.record(z.string(), z.int()),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'KnowledgeBaseSite' });

export const sitePage = z
  .strictObject({
    url: z.string(),
    depth: z.int(),
    state: z.enum(['waiting', 'added', 'changed', 'unchanged', 'gone', 'skipped', 'failed']),
    reason: z.string().nullable(),
  })
  .meta({ id: 'KnowledgeBaseSitePage' });

/** How a site is crawled; `generic_train` takes the same for the addresses it is given. */
export const crawlFields = {
  depth: s.optional(s.int({ ge: 0, le: 20 })),
  max_pages: s.optional(s.int({ ge: 1, le: 10_000 })),
  schedule: s.optional(s.str({ max: 100 })),
  on_gone: s.optional(s.oneOf(['remove', 'mark'])),
};

const url = s.str({ min: 1, max: 2000 });
const prefix = s.str({ max: 1000, pattern: /^[^\p{Cc}\\]*$/u });

export const siteCreate = s
  .object({ url, prefix: s.withDefault(prefix, '/'), ...crawlFields })
  .meta({ id: 'KnowledgeBaseSiteCreate' });
/** An empty `schedule` ends it. */
export const sitePatch = s.object(crawlFields).meta({ id: 'KnowledgeBaseSitePatch' });

export const siteParams = s.object({ knowledge_base_id: s.uuid('knowledge_base'), site_id: s.uuid('kb_site') });
export const sitePages = paged(site);
export const sitesQuery = s.query({ ...pageFields });
export const pagesPage = paged(sitePage);
export const pagesQuery = s.query({
  ...pageFields,
  state: s.optional(s.oneOf(['waiting', 'added', 'changed', 'unchanged', 'gone', 'skipped', 'failed'])),
});
export const siteDeleteQuery = s.query({ keep_documents: s.withDefault(s.bool(), false) });

export type Site = z.output<typeof site>;
export type SitePage = z.output<typeof sitePage>;
export type SiteCreate = z.output<typeof siteCreate>;
export type SitePatch = z.output<typeof sitePatch>;
