import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AppError } from '@atrium/contract/errors.ts';
import type { Database } from '../../../db/database.ts';
import type { Notifier } from '../../../db/notifier.ts';
import type { SandboxEngines } from '../../../drivers/sandboxes/driver.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { FilesHold } from '../files/stored-files.ts';
import type { Opened, Sandboxes } from '../service.ts';
import { makeOpenTerminals } from './open-terminals.ts';
import { makeTerminals } from './terminals.ts';

const opened = { row: { id: 's' }, driver: { has_terminals: true }, ref: 's' } as unknown as Opened;
const scope = { workspace_id: 'w', actor: { id: 'a' } } as Scope;

test('ends a shutdown before the files of a starting terminal have come, and refuses the terminal then', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const files = Promise.withResolvers<FilesHold>();
  let [wakes, releases] = [0, 0];
  const terminals = makeTerminals({
    db: {} as Database,
    notifier: { on: () => () => {}, notifyLocal() {} } as unknown as Notifier,
    engines: {} as SandboxEngines,
    sandboxes: {
      open: async () => opened,
      wake: async () => {
        wakes++;
        return opened;
      },
      explain: async (_scope: Scope, _opened: Opened, error: unknown) => error,
    } as unknown as Sandboxes,
    stopNotifier: { on: () => () => {}, notify: async () => {} },
    open_terminals: makeOpenTerminals(),
    files: { take: () => files.promise, look: async () => {}, forget: async () => {} },
    ...{ most: 4, idle_seconds: 900 },
  });
  const opening = terminals.open(scope, 's', { cwd: '', rows: 24, cols: 80 });
  const refused = assert.rejects(opening, ({ code }: AppError) => code === 'terminals_busy');
  await new Promise(setImmediate);

  let isClosed = false;
  const closed = terminals.close().then(() => {
    isClosed = true;
  });
  await new Promise(setImmediate);
  assert.equal(isClosed, false, 'it waits for the start');
  t.mock.timers.tick(5000);
  await new Promise(setImmediate);
  assert.equal(isClosed, true, 'it waits no longer than five seconds');
  await closed;

  const release = async () => {
    releases++;
  };
  files.resolve({ release });
  await refused;
  assert.deepEqual({ wakes, releases }, { wakes: 0, releases: 1 });
});
