import * as operations from '@atrium/contract/files/operations.ts';
import { done } from '@atrium/contract/page.ts';
import { handle, type Route } from '../../lib/route.ts';
import type { Previews, ShowContents } from './ports.ts';
import type { Files } from './service.ts';

/** Each operation under both of its paths; clients of this API use either. */
export const fileRoutes = (files: Files, previews: Previews, showContents: ShowContents): Route[] => [
  handle(operations.getFileContents, (scope, { params }) => showContents(scope, params.file_id)),
  handle(operations.getThumbnail, (scope, { params, query }) =>
    previews.draw(scope, params.file_id, { page: query.page, width: query.width }),
  ),
  ...[operations.uploadFile, operations.uploadFileAlias].map((operation) =>
    handle(operation, (scope, input) => files.upload(scope, input.files())),
  ),
  ...[operations.listFiles, operations.listFilesAlias].map((operation) =>
    handle(operation, (scope, { query }) => files.list(scope, query)),
  ),
  ...[operations.downloadFile, operations.downloadFileAlias].map((operation) =>
    handle(operation, (scope, { params, range, if_range }) =>
      files.download(scope, params.file_id, { range, if_range }),
    ),
  ),
  ...[operations.getFile, operations.getFileAlias].map((operation) =>
    handle(operation, (scope, { params }) => files.get(scope, params.file_id)),
  ),
  ...[operations.deleteFile, operations.deleteFileAlias].map((operation) =>
    handle(operation, async (scope, { params }) => {
      await files.remove(scope, params.file_id);
      return done;
    }),
  ),
];
