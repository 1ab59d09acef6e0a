/** The method and path of each operation, without schemas, for clients that need nothing else. */
export const filesRoutes = {
  'files.upload': 'POST /v1/files',
  'files.list': 'GET /v1/files',
  'files.download': 'GET /v1/files/{file_id}',
  'files.get': 'GET /v1/files/{file_id}/info',
  'files.delete': 'DELETE /v1/files/{file_id}',
  'files.thumbnail': 'GET /v1/files/{file_id}/thumbnail',
  'files.contents': 'GET /v1/files/{file_id}/contents',
  'uploads.create': 'POST /v1/uploads',
  'uploads.get': 'GET /v1/uploads/{upload_id}',
  'uploads.append': 'PATCH /v1/uploads/{upload_id}',
  'uploads.cancel': 'DELETE /v1/uploads/{upload_id}',
  'files.uploadAlias': 'POST /v1/file',
  'files.listAlias': 'GET /v1/file',
  'files.downloadAlias': 'GET /v1/file/{file_id}',
  'files.getAlias': 'GET /v1/file/{file_id}/info',
  'files.deleteAlias': 'DELETE /v1/file/{file_id}',
} as const;
