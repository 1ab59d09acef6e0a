import {
  crawlSite,
  createSite,
  deleteSite,
  getSite,
  listSitePages,
  listSites,
  updateSite,
} from '@atrium/contract/knowledge-bases/sites/site-operations.ts';
import { done } from '@atrium/contract/page.ts';
import { handle, type Route } from '../../../lib/route.ts';
import type { Sites } from './sites.ts';

export const siteRoutes = (sites: Sites): Route[] => [
  handle(listSites, (scope, { params, query }) => sites.list(scope, params.knowledge_base_id, query)),
  handle(createSite, (scope, { params, body }) => sites.create(scope, params.knowledge_base_id, body)),
  handle(getSite, (scope, { params }) => sites.find(scope, params.knowledge_base_id, params.site_id)),
  handle(updateSite, (scope, { params, body }) => sites.update(scope, params.knowledge_base_id, params.site_id, body)),
  handle(deleteSite, async (scope, { params, query }) => {
    await sites.remove(scope, params.knowledge_base_id, params.site_id, query.keep_documents);
    return done;
  }),
  handle(crawlSite, (scope, { params }) => sites.crawl(scope, params.knowledge_base_id, params.site_id)),
  handle(listSitePages, (scope, { params, query }) =>
    sites.pages(scope, params.knowledge_base_id, params.site_id, query),
  ),
];
