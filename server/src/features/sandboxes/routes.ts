import { z } from 'zod';
import { done, paged, success } from '../../lib/page.ts';
import { defineRoute, type Route } from '../../lib/route.ts';
import type { SandboxCommands } from './commands.ts';
import type { SandboxFilesService } from './sandbox-files.ts';
import {
  execAnswer,
  execRequest,
  fileListQuery,
  filePathQuery,
  fileWrite,
  sandboxParams as params,
  sandbox,
  sandboxCreate,
  sandboxFile,
  sandboxQuery,
} from './schema.ts';
import type { Sandboxes } from './service.ts';

const tag = 'Sandboxes';
const permission = 'sandboxes_run';
/** As large as the largest file in base64, and a bit. */
const body_limit = 90 * 1024 * 1024;

export const sandboxRoutes = (sandboxes: Sandboxes, commands: SandboxCommands, files: SandboxFilesService): Route[] => [
  defineRoute({
    route: 'POST /v1/sandboxes',
    summary: 'Make a sandbox owned by the workspace',
    tag,
    permission,
    body: sandboxCreate,
    example: { label: 'Analysis', persistent: false },
    answer: sandbox,
    handler: (scope, { body }) => sandboxes.create(scope, body),
  }),
  defineRoute({
    route: 'GET /v1/sandboxes',
    summary: 'List the sandboxes of the workspace, newest first',
    tag,
    permission,
    query: sandboxQuery,
    answer: paged(sandbox),
    handler: (scope, { query }) => sandboxes.list(scope, query),
  }),
  defineRoute({
    route: 'GET /v1/sandboxes/{sandbox_id}',
    summary: 'Show a sandbox',
    tag,
    permission,
    params,
    answer: sandbox,
    handler: (scope, { params }) => sandboxes.get(scope, params.sandbox_id),
  }),
  defineRoute({
    route: 'DELETE /v1/sandboxes/{sandbox_id}',
    summary: 'Delete a sandbox with all its files; what runs in it ends',
    tag,
    permission,
    params,
    answer: success,
    handler: async (scope, { params }) => {
      await sandboxes.remove(scope, params.sandbox_id);
      return done;
    },
  }),
  defineRoute({
    route: 'POST /v1/sandboxes/{sandbox_id}/exec',
    summary: 'Run a command and wait for its end, or stream its output as it comes',
    tag,
    permission,
    params,
    body: execRequest,
    example: { command: 'echo "$GREETING" | tee hello.txt', env: { GREETING: 'hello' }, timeout: 10 },
    answer: execAnswer,
    handler: (scope, { params, body }) => commands.exec(scope, params.sandbox_id, body),
  }),
  defineRoute({
    route: 'POST /v1/sandboxes/{sandbox_id}/start',
    summary: 'Start a sandbox that was stopped',
    tag,
    permission,
    params,
    answer: sandbox,
    handler: (scope, { params }) => sandboxes.start(scope, params.sandbox_id),
  }),
  defineRoute({
    route: 'POST /v1/sandboxes/{sandbox_id}/stop',
    summary: 'Stop a sandbox: what runs in it ends, its files stay',
    tag,
    permission,
    params,
    answer: sandbox,
    handler: (scope, { params }) => sandboxes.stop(scope, params.sandbox_id),
  }),
  defineRoute({
    route: 'GET /v1/sandboxes/{sandbox_id}/files',
    summary: 'List what is in a directory of a sandbox',
    tag,
    permission,
    params,
    query: fileListQuery,
    answer: paged(sandboxFile),
    handler: (scope, { params, query }) => files.list(scope, params.sandbox_id, query),
  }),
  defineRoute({
    route: 'GET /v1/sandboxes/{sandbox_id}/files/content',
    summary: 'Read a file of a sandbox',
    tag,
    permission,
    params,
    query: filePathQuery,
    content_type: 'application/octet-stream',
    answer: z.unknown(),
    handler: (scope, { params, query }) => files.read(scope, params.sandbox_id, query.path),
  }),
  defineRoute({
    route: 'POST /v1/sandboxes/{sandbox_id}/files',
    summary: 'Write a file of a sandbox',
    tag,
    permission,
    params,
    body: fileWrite,
    body_limit,
    example: { path: 'data/numbers.csv', content: 'a,b\n1,2\n', encoding: 'utf-8' },
    answer: sandboxFile,
    handler: (scope, { params, body }) => files.write(scope, params.sandbox_id, body),
  }),
  defineRoute({
    route: 'DELETE /v1/sandboxes/{sandbox_id}/files',
    summary: 'Delete a file of a sandbox, or a directory with all in it',
    tag,
    permission,
    params,
    query: filePathQuery,
    answer: success,
    handler: async (scope, { params, query }) => {
      await files.remove(scope, params.sandbox_id, query.path);
      return done;
    },
  }),
];
