import * as z from 'zod';
import { createdAt, etag, groupId, updatedAt } from '../../fields.ts';
import { namedList } from '../../list-query.ts';
import { paged, pageFields, summaryOf } from '../../page.ts';
import * as s from '../../schema/schema.ts';
import { visibleTo, visibleToInput } from '../visible-to.ts';

const pageStates = ['waiting', 'added', 'changed', 'unchanged', 'gone', 'skipped', 'failed'] as const;

export const site = z
  .strictObject({
    id: z.guid().describe('The id of the site.'),
    group_id: groupId,
    kb_id: z.guid().describe('The knowledge base that the pages go into.'),
    url: z.string().describe('The address that the crawl starts from, without fragment and tracking parameters.'),
    prefix: z.string().describe('The folder of the documents, as it was given.'),
    depth: z.int().describe('How many links away from the first page the crawl goes; 0: only that page.'),
    max_pages: z.int().describe('The most pages of one crawl.'),
    schedule: z
      .string()
      .nullable()
      .describe('When the site is crawled, as five cron fields (UTC); null: only on request.'),
    on_gone: z
      .enum(['remove', 'mark'])
      .describe('What happens to the document of a page that is gone: `remove` deletes it, `mark` only notes it.'),
    visible_to: visibleTo,
    status: z.enum(['crawling', 'idle']).describe('Whether a crawl runs.'),
    run_id: z.guid().nullable().describe('The ingestion run of the crawl that runs; null when none does.'),
    crawled_at: z.iso
      .datetime()
      .nullable()
      .describe('When the last crawl ended (ISO 8601, UTC); null before the first.'),
    next_at: z.iso
      .datetime()
      .nullable()
      .describe('When the schedule starts the next crawl (ISO 8601, UTC); null without a schedule.'),
    error: z
      .strictObject({
        code: z.string().describe('The reason in one word, such as `robots_unavailable` or `nothing_crawled`.'),
        message: z.string().describe('The reason in a sentence.'),
      })
      .nullable()
      .describe('Why the last crawl found nothing; null when it succeeded.'),
    documents: z.int().describe('How many documents the site has.'),
    pages: z
      .record(z.string(), z.int())
      .describe('How many pages of the last crawl, or of the one that runs, are in which state.'),
    created_at: createdAt,
    updated_at: updatedAt,
    etag,
  })
  .meta({ id: 'KnowledgeBaseSite' });

export const sitePage = z
  .strictObject({
    url: z.string().describe('The address of the page.'),
    depth: z.int().describe('How many links away from the first page it was found.'),
    state: z.enum(pageStates).describe('What happened to the page; `waiting` until the crawler has visited it.'),
    reason: z.string().nullable().describe('Why the page was skipped, failed or is gone; null otherwise.'),
  })
  .meta({ id: 'KnowledgeBaseSitePage' });

/** The crawl settings of a site; `generic_train` takes the same for its addresses. */
export const crawlFields = {
  depth: s
    .optional(s.int({ ge: 0, le: 20 }))
    .describe('How many links away from the first page the crawl goes; 2 for a new site unless given.'),
  max_pages: s
    .optional(s.int({ ge: 1, le: 10_000 }))
    .describe('The most pages of one crawl; 100 for a new site unless given.'),
  schedule: s
    .optional(s.str({ max: 100 }))
    .describe('When to crawl again, as five cron fields (UTC), every 15 minutes at most; empty: only on request.'),
  on_gone: s
    .optional(s.oneOf(['remove', 'mark']))
    .describe(
      'What happens to the document of a page that is gone: `remove` (unless given) deletes it, `mark` only notes it.',
    ),
};

const rightsFields = {
  visible_to: s
    .optional(visibleToInput)
    .describe(
      'Who sees the site and its documents; a change holds for the documents it has. Everybody for a new site unless given.',
    ),
};

export const siteCreate = s
  .object({
    url: s
      .str({ min: 1, max: 2000 })
      .describe('The address that the crawl starts from, with http:// or https://; only pages of its host are read.'),
    prefix: s
      .withDefault(s.str({ max: 1000, pattern: /^[^\p{Cc}\\]*$/u }), '/')
      .describe('The folder of the documents; `/` unless given.'),
    ...crawlFields,
    ...rightsFields,
  })
  .meta({ id: 'KnowledgeBaseSiteCreate' });
export const sitePatch = s.object({ ...crawlFields, ...rightsFields }).meta({ id: 'KnowledgeBaseSitePatch' });

export const siteParams = s.object({
  knowledge_base_id: s.uuid('knowledge_base').describe('The id of the knowledge base.'),
  site_id: s.uuid('kb_site').describe('The id of the site.'),
});
export const sitePages = paged(
  site,
  summaryOf(site, [
    'id',
    'url',
    'prefix',
    'status',
    'schedule',
    'documents',
    'crawled_at',
    'next_at',
    'created_at',
    'updated_at',
  ]),
);
export const sitesQuery = s.query(namedList(['url', 'created_at', 'updated_at'], { search: 'address' }));
export const pagesPage = paged(sitePage, summaryOf(sitePage, ['url', 'depth', 'state', 'reason']));
export const pagesQuery = s.query({
  ...pageFields,
  state: s.optional(s.oneOf(pageStates)).describe('Only pages in this state.'),
});
export const siteDeleteQuery = s.query({
  keep_documents: s.withDefault(s.bool(), false).describe('Keep the documents, which are then no longer updated.'),
});

export type Site = z.output<typeof site>;
export type SitePage = z.output<typeof sitePage>;
export type SiteCreate = z.output<typeof siteCreate>;
export type SitePatch = z.output<typeof sitePatch>;
