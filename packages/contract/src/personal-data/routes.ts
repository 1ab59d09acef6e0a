/** The method and path of each operation, without schemas, for clients that need nothing else. */
export const personalDataRoutes = {
  'personalData.erase': 'POST /v1/admin/users/{person_id}/erase',
  'personalData.export': 'POST /v1/admin/users/{person_id}/export',
  'personalData.exportOwn': 'POST /v1/auth/export',
  'workspaces.export': 'POST /v1/admin/groups/{group_id}/export',
  'workspaces.import': 'POST /v1/admin/groups/import',
  'dataJobs.list': 'GET /v1/admin/data-jobs',
  'dataJobs.get': 'GET /v1/data-jobs/{data_job_id}',
  'dataJobs.download': 'GET /v1/data-jobs/{data_job_id}/file',
} as const;
