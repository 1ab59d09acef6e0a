import { z } from 'zod';
import { operation } from '../operation.ts';
import { paged, success } from '../page.ts';
import { sandboxesRoutes } from './routes.ts';
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

const tag = 'Sandboxes';

const permission = 'sandboxes_run';

/** As large as the largest file in base64, and a bit. */
const body_limit = 90 * 1024 * 1024;

export const createSandbox = operation({
  id: 'sandboxes.create',
  route: sandboxesRoutes['sandboxes.create'],
  summary: 'Make a sandbox owned by the workspace',
  tag,
  permission,
  body: sandboxCreate,
  example: { label: 'Analysis', persistent: false },
  answer: sandbox,
});

export const listSandboxes = operation({
  id: 'sandboxes.list',
  route: sandboxesRoutes['sandboxes.list'],
  summary: 'List the sandboxes of the workspace, newest first',
  tag,
  permission,
  query: sandboxQuery,
  answer: paged(sandbox),
});

export const getSandbox = operation({
  id: 'sandboxes.get',
  route: sandboxesRoutes['sandboxes.get'],
  summary: 'Show a sandbox',
  tag,
  permission,
  params,
  answer: sandbox,
});

export const deleteSandbox = operation({
  id: 'sandboxes.delete',
  route: sandboxesRoutes['sandboxes.delete'],
  summary: 'Delete a sandbox with all its files; what runs in it ends',
  tag,
  permission,
  params,
  answer: success,
});

export const execInSandbox = operation({
  id: 'sandboxes.exec',
  route: sandboxesRoutes['sandboxes.exec'],
  summary: 'Run a command and wait for its end, or stream its output as it comes',
  tag,
  permission,
  params,
  body: execRequest,
  example: { command: 'echo "$GREETING" | tee hello.txt', env: { GREETING: 'hello' }, timeout: 10 },
  answer: execAnswer,
});

export const startSandbox = operation({
  id: 'sandboxes.start',
  route: sandboxesRoutes['sandboxes.start'],
  summary: 'Start a sandbox that was stopped',
  tag,
  permission,
  params,
  answer: sandbox,
});

export const stopSandbox = operation({
  id: 'sandboxes.stop',
  route: sandboxesRoutes['sandboxes.stop'],
  summary: 'Stop a sandbox: what runs in it ends, its files stay',
  tag,
  permission,
  params,
  answer: sandbox,
});

export const listSandboxFiles = operation({
  id: 'sandboxes.listFiles',
  route: sandboxesRoutes['sandboxes.listFiles'],
  summary: 'List what is in a directory of a sandbox',
  tag,
  permission,
  params,
  query: fileListQuery,
  answer: paged(sandboxFile),
});

export const readSandboxFile = operation({
  id: 'sandboxes.readFile',
  route: sandboxesRoutes['sandboxes.readFile'],
  summary: 'Read a file of a sandbox',
  tag,
  permission,
  params,
  query: filePathQuery,
  content_type: 'application/octet-stream',
  answer: z.unknown(),
});

export const writeSandboxFile = operation({
  id: 'sandboxes.writeFile',
  route: sandboxesRoutes['sandboxes.writeFile'],
  summary: 'Write a file of a sandbox',
  tag,
  permission,
  params,
  body: fileWrite,
  body_limit,
  example: { path: 'data/numbers.csv', content: 'a,b\n1,2\n', encoding: 'utf-8' },
  answer: sandboxFile,
});

export const deleteSandboxFile = operation({
  id: 'sandboxes.deleteFile',
  route: sandboxesRoutes['sandboxes.deleteFile'],
  summary: 'Delete a file of a sandbox, or a directory with all in it',
  tag,
  permission,
  params,
  query: filePathQuery,
  answer: success,
});

export const sandboxesOperations = [
  createSandbox,
  listSandboxes,
  getSandbox,
  deleteSandbox,
  execInSandbox,
  startSandbox,
  stopSandbox,
  listSandboxFiles,
  readSandboxFile,
  writeSandboxFile,
  deleteSandboxFile,
];
