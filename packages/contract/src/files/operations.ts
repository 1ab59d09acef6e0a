import * as z from 'zod';
import { operation } from '../operation.ts';
import { paged, summaryOf } from '../page.ts';
import { deleted } from '../uses/schema.ts';
import { filesRoutes } from './routes.ts';
import { file, fileContents, fileParams, fileQuery, thumbnailQuery } from './schema.ts';

const tag = 'Files';

export const uploadFile = operation({
  id: 'files.upload',
  route: filesRoutes['files.upload'],
  summary: 'Upload a file',
  description:
    'Stores one file, sent as the form field `file`, and returns its record. The file counts only when the whole form has arrived; a second file in the form is refused with 422. A file that does not fit the storage quota of the workspace or organization is refused with 409 `quota_reached`.',
  tag,
  permission: 'files_edit',
  audit: { none: 'files are content; their list says when each was uploaded' },
  upload: { field: 'file', description: 'The file to store.' },
  answer: file,
});

export const listFiles = operation({
  id: 'files.list',
  route: filesRoutes['files.list'],
  summary: 'List the files of the workspace',
  description:
    'Returns the files of the workspace page by page, newest first. Files that belong to a conversation, a knowledge base or a page of a site are part of the list.',
  tag,
  permission: 'files_read',
  query: fileQuery,
  answer: paged(file, summaryOf(file, ['id', 'filename', 'size', 'content_type', 'source_type', 'created_at'])),
});

export const downloadFile = operation({
  id: 'files.download',
  route: filesRoutes['files.download'],
  summary: 'Download a file',
  description:
    'Returns the bytes of a file, or one range of them when the header `Range` asks for it (206; 416 when the range lies beyond the end). The answer is always sent as an attachment, so that a browser saves it and never runs it.',
  tag,
  permission: 'files_read',
  params: fileParams,
  content_type: 'application/octet-stream',
  answer: z.unknown(),
});

export const getFile = operation({
  id: 'files.get',
  route: filesRoutes['files.get'],
  summary: 'Get the record of a file',
  description: 'Returns the name, size and type of a file without its bytes.',
  tag,
  permission: 'files_read',
  params: fileParams,
  answer: file,
});

export const deleteFile = operation({
  id: 'files.delete',
  route: filesRoutes['files.delete'],
  summary: 'Delete a file',
  description:
    'Deletes a file and frees its bytes in the quotas. Records that refer to the file keep their reference; a knowledge base document whose file is gone keeps its passages but cannot be trained again.',
  tag,
  permission: 'files_edit',
  params: fileParams,
  answer: deleted,
});

export const getThumbnail = operation({
  id: 'files.thumbnail',
  route: filesRoutes['files.thumbnail'],
  summary: 'Get a thumbnail of a file',
  description:
    'Returns a small picture of an image (PNG, JPEG, WebP, GIF, BMP), of a page of a PDF, or of the beginning of a DOCX, XLSX or PPTX file, as WebP. It is drawn when first asked for and kept. The header `X-Page-Count` says how many pages there are, where that is known. A file of another kind, or one that can not be drawn, is answered with 409 `no_preview`.',
  tag,
  permission: 'files_read',
  params: fileParams,
  query: thumbnailQuery,
  content_type: 'image/webp',
  answer: z.unknown(),
});

export const getFileContents = operation({
  id: 'files.contents',
  route: filesRoutes['files.contents'],
  summary: 'Get the text and tables of a file',
  description:
    'Returns what a DOCX, XLSX, PPTX or EML file says, for a preview: sheets as tables, slides and documents as headings, paragraphs and tables. The file is read once and the result is kept with it. A file of another kind, or one that can not be read, is answered with 409 `no_preview`.',
  tag,
  permission: 'files_read',
  params: fileParams,
  answer: fileContents,
});

export const uploadFileAlias = operation({
  ...uploadFile,
  id: 'files.uploadAlias',
  route: filesRoutes['files.uploadAlias'],
  summary: 'Upload a file (alias of /v1/files)',
});

export const listFilesAlias = operation({
  ...listFiles,
  id: 'files.listAlias',
  route: filesRoutes['files.listAlias'],
  summary: 'List the files of the workspace (alias of /v1/files)',
});

export const downloadFileAlias = operation({
  ...downloadFile,
  id: 'files.downloadAlias',
  route: filesRoutes['files.downloadAlias'],
  summary: 'Download a file (alias of /v1/files)',
});

export const getFileAlias = operation({
  ...getFile,
  id: 'files.getAlias',
  route: filesRoutes['files.getAlias'],
  summary: 'Get the record of a file (alias of /v1/files)',
});

export const deleteFileAlias = operation({
  ...deleteFile,
  id: 'files.deleteAlias',
  route: filesRoutes['files.deleteAlias'],
  summary: 'Delete a file (alias of /v1/files)',
});

export const filesOperations = [
  uploadFile,
  listFiles,
  downloadFile,
  getFile,
  deleteFile,
  getThumbnail,
  getFileContents,
  uploadFileAlias,
  listFilesAlias,
  downloadFileAlias,
  getFileAlias,
  deleteFileAlias,
];
