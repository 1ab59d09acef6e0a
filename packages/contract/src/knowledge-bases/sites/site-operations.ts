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
  summary: 'List the web sites that a knowledge base is fed from',
  tag,
  permission: 'kbs_query',
  params: kbParams,
  query: sitesQuery,
  answer: sitePages,
});

export const createSite = operation({
  id: 'sites.create',
  route: sitesRoutes['sites.create'],
  summary: 'Crawl a web site, now and on a schedule; each of its pages becomes a document',
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
  summary: 'Get a web site, with what became of its pages',
  tag,
  permission: 'kbs_query',
  params: siteParams,
  answer: site,
});

export const updateSite = operation({
  id: 'sites.update',
  route: sitesRoutes['sites.update'],
  summary: 'Change how a web site is crawled; an empty schedule ends it',
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
  summary: 'Forget a web site, with its documents unless they are to be kept',
  tag,
  permission: 'kbs_delete',
  params: siteParams,
  query: siteDeleteQuery,
  answer: success,
});

export const crawlSite = operation({
  id: 'sites.crawl',
  route: sitesRoutes['sites.crawl'],
  summary: 'Crawl a web site again now',
  tag,
  permission: 'kbs_edit',
  params: siteParams,
  answer: site,
});

export const listSitePages = operation({
  id: 'sites.listPages',
  route: sitesRoutes['sites.listPages'],
  summary: 'List the pages of the last crawl, or of the one under way, and why some were left alone',
  tag,
  permission: 'kbs_query',
  params: siteParams,
  query: pagesQuery,
  answer: pagesPage,
});

export const siteOperations = [listSites, createSite, getSite, updateSite, deleteSite, crawlSite, listSitePages];
