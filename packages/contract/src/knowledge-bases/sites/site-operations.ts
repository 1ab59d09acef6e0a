import { operation } from '../../operation.ts';
import { success } from '../../page.ts';
import { kbParams } from '../inputs.ts';
import { sitesRoutes } from './routes.ts';
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

const tag = 'Knowledge bases';

export const listSites = operation({
  id: 'sites.list',
  route: sitesRoutes['sites.list'],
  summary: 'List the web sites of a knowledge base',
  description: 'Returns the web sites that the knowledge base is fed from, page by page, newest first.',
  tag,
  permission: 'kbs_query',
  params: kbParams,
  query: sitesQuery,
  answer: sitePages,
});

export const createSite = operation({
  id: 'sites.create',
  route: sitesRoutes['sites.create'],
  summary: 'Add a web site and crawl it',
  description:
    'Adds a web site and starts to crawl it at once, and again by the schedule; each page becomes a document. The same address in the same folder is one site: adding it again replaces its crawl settings. The crawler keeps to robots.txt and to the host of the address.',
  tag,
  permission: 'kbs_edit',
  params: kbParams,
  body: siteCreate,
  example: { url: 'https://example.com/docs/', prefix: '/web', depth: 2, max_pages: 200, schedule: '0 3 * * *' },
  answer: site,
});

export const getSite = operation({
  id: 'sites.get',
  route: sitesRoutes['sites.get'],
  summary: 'Get a web site',
  description: 'Returns a web site with the state of its crawl and the counts of its pages.',
  tag,
  permission: 'kbs_query',
  params: siteParams,
  answer: site,
});

export const updateSite = operation({
  id: 'sites.update',
  route: sitesRoutes['sites.update'],
  summary: 'Update how a web site is crawled',
  description:
    'Changes the given crawl settings and keeps the others; an empty `schedule` ends the schedule. A crawl that runs uses the new values for its remaining pages; no new crawl is started.',
  tag,
  permission: 'kbs_edit',
  params: siteParams,
  body: sitePatch,
  example: { max_pages: 500 },
  answer: site,
});

export const deleteSite = operation({
  id: 'sites.delete',
  route: sitesRoutes['sites.delete'],
  summary: 'Delete a web site',
  description:
    'Removes a web site and stops a crawl that runs. Its documents are deleted too, unless `keep_documents` is true.',
  tag,
  permission: 'kbs_delete',
  params: siteParams,
  query: siteDeleteQuery,
  answer: success,
});

export const crawlSite = operation({
  id: 'sites.crawl',
  route: sitesRoutes['sites.crawl'],
  summary: 'Crawl a web site now',
  description:
    'Starts a crawl and returns the site; when one runs already, that one goes on. Pages that did not change are not trained again.',
  tag,
  permission: 'kbs_edit',
  params: siteParams,
  answer: site,
});

export const listSitePages = operation({
  id: 'sites.listPages',
  route: sitesRoutes['sites.listPages'],
  summary: 'List the pages of a crawl',
  description:
    'Returns the pages of the crawl that runs, or of the last one, in the order in which they were found, each with its outcome and the reason why a page was skipped or failed.',
  tag,
  permission: 'kbs_query',
  params: siteParams,
  query: pagesQuery,
  answer: pagesPage,
});

export const siteOperations = [listSites, createSite, getSite, updateSite, deleteSite, crawlSite, listSitePages];
