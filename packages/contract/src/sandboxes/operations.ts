import * as z from 'zod';
import { operation } from '../operation.ts';
import { paged, success, summaryOf } from '../page.ts';
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
  sandboxWithUsage,
} from './schema.ts';
import { terminalOperations } from './terminal-operations.ts';

const tag = 'Sandboxes';

const permission = 'sandboxes_run';

/** As large as the largest file in base64, and a bit. */
const body_limit = 90 * 1024 * 1024;

export const createSandbox = operation({
  id: 'sandboxes.create',
  route: sandboxesRoutes['sandboxes.create'],
  summary: 'Create a sandbox',
  description:
    'Creates a sandbox that belongs to the workspace, with an empty working directory and the engine that this installation has chosen. Fails with 409 when the workspace has as many sandboxes as it may have, and with 503 when no engine works here.',
  tag,
  permission,
  audit: { none: 'a sandbox is the work of its caller, as a run is' },
  body: sandboxCreate,
  example: { label: 'Analysis', persistent: false },
  answer: sandbox,
});

export const listSandboxes = operation({
  id: 'sandboxes.list',
  route: sandboxesRoutes['sandboxes.list'],
  summary: 'List the sandboxes of the workspace, newest first',
  description:
    'Returns the sandboxes of the workspace, page by page, those that agents made for their conversations included.',
  tag,
  permission,
  query: sandboxQuery,
  answer: paged(
    sandbox,
    summaryOf(sandbox, ['id', 'status', 'label', 'persistent', 'network', 'engine', 'created_at', 'last_activity']),
  ),
});

export const getSandbox = operation({
  id: 'sandboxes.get',
  route: sandboxesRoutes['sandboxes.get'],
  summary: 'Get a sandbox',
  description:
    'Returns one sandbox with its status, its engine and how much of the disk it takes. Looking at a sandbox does not count as activity.',
  tag,
  permission,
  params,
  answer: sandboxWithUsage,
});

export const deleteSandbox = operation({
  id: 'sandboxes.delete',
  route: sandboxesRoutes['sandboxes.delete'],
  summary: 'Delete a sandbox and its files',
  description:
    'Deletes a sandbox with all its files and ends the commands that run in it. When the engine can not be reached, the files are removed later.',
  tag,
  permission,
  audit: { none: 'a sandbox is the work of its caller, as a run is' },
  params,
  answer: success,
});

export const execInSandbox = operation({
  id: 'sandboxes.exec',
  route: sandboxesRoutes['sandboxes.exec'],
  summary: 'Run a command in a sandbox',
  description:
    'Runs a command and answers when it has ended, or streams its output when `stream` is true: events `output`, then `end` or `error`. Commands of one sandbox run one after the other; a stopped sandbox is started first. A process that a command leaves in the background ends with the command; only files stay.',
  tag,
  permission,
  audit: { none: 'a sandbox is the work of its caller, as a run is' },
  params,
  body: execRequest,
  example: { command: 'echo "$GREETING" | tee hello.txt', env: { GREETING: 'hello' }, timeout: 10 },
  answer: execAnswer,
});

export const startSandbox = operation({
  id: 'sandboxes.start',
  route: sandboxesRoutes['sandboxes.start'],
  summary: 'Start a stopped sandbox',
  description:
    'Starts a sandbox that was stopped. Not needed before a command, which starts the sandbox itself; a sandbox that runs stays as it is.',
  tag,
  permission,
  audit: { none: 'a sandbox is the work of its caller, as a run is' },
  params,
  answer: sandbox,
});

export const stopSandbox = operation({
  id: 'sandboxes.stop',
  route: sandboxesRoutes['sandboxes.stop'],
  summary: 'Stop a sandbox',
  description:
    'Ends the commands that run in the sandbox and gives back what it holds but its files. A sandbox that is not persistent is deleted after 15 minutes without activity all the same.',
  tag,
  permission,
  audit: { none: 'a sandbox is the work of its caller, as a run is' },
  params,
  answer: sandbox,
});

export const listSandboxFiles = operation({
  id: 'sandboxes.listFiles',
  route: sandboxesRoutes['sandboxes.listFiles'],
  summary: 'List the files in a directory of a sandbox',
  description:
    'Returns the entries of one directory, page by page and without those of its subdirectories. The files of a stopped sandbox can be listed too.',
  tag,
  permission,
  params,
  query: fileListQuery,
  answer: paged(sandboxFile, summaryOf(sandboxFile, ['path', 'type', 'size', 'modified_at'])),
});

export const readSandboxFile = operation({
  id: 'sandboxes.readFile',
  route: sandboxesRoutes['sandboxes.readFile'],
  summary: 'Read a file of a sandbox',
  description: 'Returns the bytes of a file as a download, never as a page that a browser would show.',
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
  description:
    'Creates a file or replaces its whole content, and makes the directories above it. Takes JSON, or a form (`multipart/form-data`) with one file: the bytes are stored as they are. Fails with 413 when the file is larger than a file may be (64 MiB), and with 409 when the disk space of the sandbox is used up.',
  tag,
  permission,
  audit: { none: 'a sandbox is the work of its caller, as a run is' },
  params,
  body: fileWrite,
  upload: {
    field: 'file',
    description: 'The file to store.',
    fields: {
      path: 'The path of the file below the working directory; ending in `/`, the directory it goes into. The name of the file unless given.',
    },
  },
  body_limit,
  example: { path: 'data/numbers.csv', content: 'a,b\n1,2\n', encoding: 'utf-8' },
  answer: sandboxFile,
});

export const deleteSandboxFile = operation({
  id: 'sandboxes.deleteFile',
  route: sandboxesRoutes['sandboxes.deleteFile'],
  summary: 'Delete a file or directory of a sandbox',
  description: 'Deletes a file, or a directory with everything in it.',
  tag,
  permission,
  audit: { none: 'a sandbox is the work of its caller, as a run is' },
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
  ...terminalOperations,
];
