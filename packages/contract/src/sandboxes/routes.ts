/** The method and path of each operation, without schemas, for clients that need nothing else. */
export const sandboxesRoutes = {
  'sandboxes.create': 'POST /v1/sandboxes',
  'sandboxes.list': 'GET /v1/sandboxes',
  'sandboxes.get': 'GET /v1/sandboxes/{sandbox_id}',
  'sandboxes.delete': 'DELETE /v1/sandboxes/{sandbox_id}',
  'sandboxes.exec': 'POST /v1/sandboxes/{sandbox_id}/exec',
  'sandboxes.start': 'POST /v1/sandboxes/{sandbox_id}/start',
  'sandboxes.stop': 'POST /v1/sandboxes/{sandbox_id}/stop',
  'sandboxes.listFiles': 'GET /v1/sandboxes/{sandbox_id}/files',
  'sandboxes.readFile': 'GET /v1/sandboxes/{sandbox_id}/files/content',
  'sandboxes.writeFile': 'POST /v1/sandboxes/{sandbox_id}/files',
  'sandboxes.deleteFile': 'DELETE /v1/sandboxes/{sandbox_id}/files',
} as const;
