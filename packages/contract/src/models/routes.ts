/** The method and path of each operation, without schemas, for clients that need nothing else. */
export const modelsRoutes = {
  'providers.list': 'GET /v1/admin/providers',
  'providers.create': 'POST /v1/admin/providers',
  'providers.health': 'GET /v1/admin/providers/health',
  'providers.get': 'GET /v1/admin/providers/{provider_id}',
  'providers.update': 'PATCH /v1/admin/providers/{provider_id}',
  'providers.delete': 'DELETE /v1/admin/providers/{provider_id}',
  'providers.try': 'POST /v1/admin/providers/test',
  'providers.test': 'POST /v1/admin/providers/{provider_id}/test',
  'defaults.get': 'GET /v1/admin/defaults',
  'defaults.set': 'PUT /v1/admin/defaults',
  'models.list': 'GET /v1/models/llms',
  'presets.list': 'GET /v1/models/llms/presets',
  'presets.get': 'GET /v1/admin/presets/{preset_name}',
  'presets.set': 'PUT /v1/admin/presets/{preset_name}',
  'presets.reset': 'DELETE /v1/admin/presets/{preset_name}',
} as const;
