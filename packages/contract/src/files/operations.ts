import { z } from 'zod';
import { operation } from '../operation.ts';
import { paged, success } from '../page.ts';
import { filesRoutes } from './routes.ts';
import { file, fileParams, fileQuery } from './schema.ts';

const tag = 'Files';

export const uploadFile = operation({
  id: 'files.upload',
  route: filesRoutes['files.upload'],
  summary: 'Upload a file',
  tag,
  permission: 'files_edit',
  upload: { field: 'file' },
  answer: file,
});

export const listFiles = operation({
  id: 'files.list',
  route: filesRoutes['files.list'],
  summary: 'List the files of the workspace, newest first',
  tag,
  permission: 'files_read',
  query: fileQuery,
  answer: paged(file),
});

export const downloadFile = operation({
  id: 'files.download',
  route: filesRoutes['files.download'],
  summary: 'Download a file, or the part of it that Range asks for',
  tag,
  permission: 'files_read',
  params: fileParams,
  content_type: 'application/octet-stream',
  answer: z.unknown(),
});

export const getFile = operation({
  id: 'files.get',
  route: filesRoutes['files.get'],
  summary: 'Show what is known of a file',
  tag,
  permission: 'files_read',
  params: fileParams,
  answer: file,
});

export const deleteFile = operation({
  id: 'files.delete',
  route: filesRoutes['files.delete'],
  summary: 'Delete a file',
  tag,
  permission: 'files_edit',
  params: fileParams,
  answer: success,
});

export const uploadFileAlias = operation({
  ...uploadFile,
  id: 'files.uploadAlias',
  route: filesRoutes['files.uploadAlias'],
  summary: 'Upload a file (the same under /v1/files)',
});

export const listFilesAlias = operation({
  ...listFiles,
  id: 'files.listAlias',
  route: filesRoutes['files.listAlias'],
  summary: 'List the files of the workspace, newest first (the same under /v1/files)',
});

export const downloadFileAlias = operation({
  ...downloadFile,
  id: 'files.downloadAlias',
  route: filesRoutes['files.downloadAlias'],
  summary: 'Download a file, or the part of it that Range asks for (the same under /v1/files)',
});

export const getFileAlias = operation({
  ...getFile,
  id: 'files.getAlias',
  route: filesRoutes['files.getAlias'],
  summary: 'Show what is known of a file (the same under /v1/files)',
});

export const deleteFileAlias = operation({
  ...deleteFile,
  id: 'files.deleteAlias',
  route: filesRoutes['files.deleteAlias'],
  summary: 'Delete a file (the same under /v1/files)',
});

export const filesOperations = [
  uploadFile,
  listFiles,
  downloadFile,
  getFile,
  deleteFile,
  uploadFileAlias,
  listFilesAlias,
  downloadFileAlias,
  getFileAlias,
  deleteFileAlias,
];
