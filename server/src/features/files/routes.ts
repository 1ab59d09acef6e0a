import { z } from 'zod';
import { done, paged, success } from '../../lib/page.ts';
import { defineRoute, type Route } from '../../lib/route.ts';
import { file, fileParams, fileQuery } from './schema.ts';
import type { Files } from './service.ts';

const tag = 'Files';

/** The operations under one of their two names; clients of this API use either. */
const routesUnder = (at: '/v1/files' | '/v1/file', files: Files): Route[] => {
  const also = at === '/v1/file' ? ' (the same under /v1/files)' : '';
  return [
    defineRoute({
      route: `POST ${at}`,
      summary: `Upload a file${also}`,
      tag,
      permission: 'files_edit',
      upload: { field: 'file' },
      answer: file,
      handler: (scope, input) => files.upload(scope, input.files()),
    }),
    defineRoute({
      route: `GET ${at}`,
      summary: `List the files of the workspace, newest first${also}`,
      tag,
      permission: 'files_read',
      query: fileQuery,
      answer: paged(file),
      handler: (scope, { query }) => files.list(scope, query),
    }),
    defineRoute({
      route: `GET ${at}/{file_id}`,
      summary: `Download a file, or the part of it that Range asks for${also}`,
      tag,
      permission: 'files_read',
      params: fileParams,
      content_type: 'application/octet-stream',
      answer: z.unknown(),
      handler: (scope, { params, range, if_range }) => files.download(scope, params.file_id, { range, if_range }),
    }),
    defineRoute({
      route: `GET ${at}/{file_id}/info`,
      summary: `Show what is known of a file${also}`,
      tag,
      permission: 'files_read',
      params: fileParams,
      answer: file,
      handler: (scope, { params }) => files.get(scope, params.file_id),
    }),
    defineRoute({
      route: `DELETE ${at}/{file_id}`,
      summary: `Delete a file${also}`,
      tag,
      permission: 'files_edit',
      params: fileParams,
      answer: success,
      handler: async (scope, { params }) => {
        await files.remove(scope, params.file_id);
        return done;
      },
    }),
  ];
};

export const fileRoutes = (files: Files): Route[] => [
  ...routesUnder('/v1/files', files),
  ...routesUnder('/v1/file', files),
];
