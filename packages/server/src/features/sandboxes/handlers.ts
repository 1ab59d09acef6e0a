import { done } from '@atrium/contract/page.ts';
import {
  createSandbox,
  deleteSandbox,
  deleteSandboxFile,
  execInSandbox,
  getSandbox,
  listSandboxes,
  listSandboxFiles,
  readSandboxFile,
  startSandbox,
  stopSandbox,
  writeSandboxFile,
} from '@atrium/contract/sandboxes/operations.ts';
import { fieldsOf } from '../../lib/json/fields-of.ts';
import { handle, type Route } from '../../lib/route.ts';
import type { SandboxCommands } from './ports.ts';
import type { SandboxFilesService } from './sandbox-files.ts';
import type { Sandboxes } from './service.ts';
import { terminalRoutes } from './terminals/handlers.ts';
import type { Terminals } from './terminals/terminals.ts';

/** The route, for sandboxes that the caller may see. Tools of a conversation are not asked: its run is theirs. */
const forVisible =
  ({ requireVisible }: Sandboxes) =>
  (route: Route): Route => ({
    ...route,
    async handler(scope, input) {
      const { sandbox_id } = fieldsOf(input.params);
      if (typeof sandbox_id === 'string') await requireVisible(scope, sandbox_id);
      return route.handler(scope, input);
    },
  });

export const sandboxRoutes = (
  sandboxes: Sandboxes,
  commands: SandboxCommands,
  files: SandboxFilesService,
  terminals: Terminals,
): Route[] => [...routesOf(sandboxes, commands, files), ...terminalRoutes(terminals)].map(forVisible(sandboxes));

const routesOf = (sandboxes: Sandboxes, commands: SandboxCommands, files: SandboxFilesService): Route[] => [
  handle(createSandbox, (scope, { body }) => sandboxes.create(scope, body)),
  handle(listSandboxes, (scope, { query }) => sandboxes.list(scope, query)),
  handle(getSandbox, (scope, { params }) => sandboxes.get(scope, params.sandbox_id)),
  handle(deleteSandbox, async (scope, { params }) => {
    await sandboxes.remove(scope, params.sandbox_id);
    return done;
  }),
  handle(execInSandbox, (scope, { params, body }) => commands.exec(scope, params.sandbox_id, body)),
  handle(startSandbox, (scope, { params }) => sandboxes.start(scope, params.sandbox_id)),
  handle(stopSandbox, (scope, { params }) => sandboxes.stop(scope, params.sandbox_id)),
  handle(listSandboxFiles, (scope, { params, query }) => files.list(scope, params.sandbox_id, query)),
  handle(readSandboxFile, (scope, { params, query }) => files.read(scope, params.sandbox_id, query.path)),
  handle(writeSandboxFile, (scope, { params, body, is_form, files: sent, fields }) =>
    is_form ? files.upload(scope, params.sandbox_id, sent(), fields) : files.write(scope, params.sandbox_id, body),
  ),
  handle(deleteSandboxFile, async (scope, { params, query }) => {
    await files.remove(scope, params.sandbox_id, query.path);
    return done;
  }),
];
