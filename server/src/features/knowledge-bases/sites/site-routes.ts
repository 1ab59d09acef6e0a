import { done, success } from '../../../lib/page.ts';
import { defineRoute, type Route } from '../../../lib/route.ts';
import { kbParams } from '../inputs.ts';
import {
  pagesPage,
  pagesQuery,
  site,
  siteCreate,
  siteDeleteQuery,
  sitePages,
  siteParams,
  sitePatch,
  sitesQuery,
} from './schema.ts';
import type { Sites } from './sites.ts';

const tag = 'Knowledge bases';
const at = '/v1/knowledge-bases/{knowledge_base_id}/sites';

export const siteRoutes = (sites: Sites): Route[] => [
  defineRoute({
    route: `GET ${at}`,
    summary: 'List the web sites that a knowledge base is fed from',
    tag,
    permission: 'kbs_query',
    params: kbParams,
    query: sitesQuery,
    answer: sitePages,
    handler: (scope, { params, query }) => sites.list(scope, params.knowledge_base_id, query),
  }),
  defineRoute({
    route: `POST ${at}`,
    summary: 'Crawl a web site, now and on a schedule; each of its pages becomes a document',
    tag,
    permission: 'kbs_edit',
    params: kbParams,
    body: siteCreate,
    example: { url: 'https://example.com/docs/', prefix: '/web', depth: 2, max_pages: 200, schedule: '0 3 * * *' },
    answer: site,
    handler: (scope, { params, body }) => sites.create(scope, params.knowledge_base_id, body),
  }),
  defineRoute({
    route: `GET ${at}/{site_id}`,
    summary: 'Get a web site, with what became of its pages',
    tag,
    permission: 'kbs_query',
    params: siteParams,
    answer: site,
    handler: (scope, { params }) => sites.find(scope, params.knowledge_base_id, params.site_id),
  }),
  defineRoute({
    route: `PATCH ${at}/{site_id}`,
    summary: 'Change how a web site is crawled; an empty schedule ends it',
    tag,
    permission: 'kbs_edit',
    params: siteParams,
    body: sitePatch,
    example: { max_pages: 500 },
    answer: site,
    handler: (scope, { params, body }) => sites.update(scope, params.knowledge_base_id, params.site_id, body),
  }),
  defineRoute({
    route: `DELETE ${at}/{site_id}`,
    summary: 'Forget a web site, with its documents unless they are to be kept',
    tag,
    permission: 'kbs_delete',
    params: siteParams,
    query: siteDeleteQuery,
    answer: success,
    handler: async (scope, { params, query }) => {
      await sites.remove(scope, params.knowledge_base_id, params.site_id, query.keep_documents);
      return done;
    },
  }),
  defineRoute({
    route: `POST ${at}/{site_id}/crawl`,
    summary: 'Crawl a web site again now',
    tag,
    permission: 'kbs_edit',
    params: siteParams,
    answer: site,
    handler: (scope, { params }) => sites.crawl(scope, params.knowledge_base_id, params.site_id),
  }),
  defineRoute({
    route: `GET ${at}/{site_id}/pages`,
    summary: 'List the pages of the last crawl, or of the one under way, and why some were left alone',
    tag,
    permission: 'kbs_query',
    params: siteParams,
    query: pagesQuery,
    answer: pagesPage,
    handler: (scope, { params, query }) => sites.pages(scope, params.knowledge_base_id, params.site_id, query),
  }),
];
