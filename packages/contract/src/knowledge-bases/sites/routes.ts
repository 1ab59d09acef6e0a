/** The method and path of each operation, without schemas, for clients that need nothing else. */
export const sitesRoutes = {
  'sites.list': 'GET /v1/knowledge-bases/{knowledge_base_id}/sites',
  'sites.create': 'POST /v1/knowledge-bases/{knowledge_base_id}/sites',
  'sites.get': 'GET /v1/knowledge-bases/{knowledge_base_id}/sites/{site_id}',
  'sites.update': 'PATCH /v1/knowledge-bases/{knowledge_base_id}/sites/{site_id}',
  'sites.delete': 'DELETE /v1/knowledge-bases/{knowledge_base_id}/sites/{site_id}',
  'sites.crawl': 'POST /v1/knowledge-bases/{knowledge_base_id}/sites/{site_id}/crawl',
  'sites.listPages': 'GET /v1/knowledge-bases/{knowledge_base_id}/sites/{site_id}/pages',
} as const;
