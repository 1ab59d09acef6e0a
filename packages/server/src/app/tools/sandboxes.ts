import { join } from 'node:path';
import type { SandboxEngineName } from '@atrium/contract/sandboxes/engines.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import type { Notifier } from '../../db/notifier.ts';
import type { BlobStore } from '../../drivers/blobs/driver.ts';
import { makeBubblewrap } from '../../drivers/sandboxes/bubblewrap/bubblewrap.ts';
import { makeDaytona } from '../../drivers/sandboxes/daytona/daytona.ts';
import { defaultLimits } from '../../drivers/sandboxes/default-limits.ts';
import { makeDocker } from '../../drivers/sandboxes/docker/docker.ts';
import type { SandboxEngines } from '../../drivers/sandboxes/driver.ts';
import { makeE2b } from '../../drivers/sandboxes/e2b/e2b.ts';
import { type EngineMakers, makeEngines } from '../../drivers/sandboxes/engines.ts';
import { hiddenPaths, ownInstallation } from '../../drivers/sandboxes/installation.ts';
import { makeJustBash } from '../../drivers/sandboxes/just-bash/just-bash.ts';
import { troubleWithWheels } from '../../drivers/sandboxes/wheels.ts';
import { makeAllowList } from '../../drivers/web/allow-list.ts';
import { makeCheckedSockets } from '../../drivers/web/checked-socket.ts';
import { makeCommandSlots } from '../../features/sandboxes/command-slots.ts';
import { clearCopies } from '../../features/sandboxes/files/clear-copies.ts';
import { makeStoredFiles } from '../../features/sandboxes/files/stored-files.ts';
import { sandboxRoutes } from '../../features/sandboxes/handlers.ts';
import { idleSeconds, makeSandboxJobs } from '../../features/sandboxes/jobs.ts';
import { lockLanes } from '../../features/sandboxes/machine-lanes.ts';
import { makeSandboxCommands } from '../../features/sandboxes/sandbox-commands.ts';
import { makeSandboxFiles } from '../../features/sandboxes/sandbox-files.ts';
import { makeSandboxes } from '../../features/sandboxes/service.ts';
import { makeStopNotifier } from '../../features/sandboxes/stop-notifier.ts';
import { makeOpenTerminals } from '../../features/sandboxes/terminals/open-terminals.ts';
import { makeTerminals } from '../../features/sandboxes/terminals/terminals.ts';
import type { Log } from '../../lib/log.ts';
import type { Locks } from '../../lib/machine/locks.ts';
import { enqueue } from '../../worker/worker.ts';

/** What names and modes of the files of a sandbox take at most, besides their bytes. */
const descriptionBytes = 256 * 1024 * 1024;

type SandboxConfig = Pick<Config, 'data_dir' | 'sandboxes' | 'web_allow' | 'models_file' | 'mcp_config'>;

/** The engines of this installation, and the one that new sandboxes get. */
export function makeSandboxEngines(config: SandboxConfig): SandboxEngines {
  const { data_dir, sandboxes, web_allow, models_file, mcp_config } = config;
  const { engine, network, memory_bytes, disk_bytes, wheels, docker, e2b, daytona } = sandboxes;
  const limits = { ...defaultLimits, memory_bytes, disk_bytes };
  const root = join(data_dir, 'sandboxes');
  const files = [models_file, mcp_config].filter((file) => file !== undefined);
  const installation = ownInstallation(root, files);
  const open = network ? makeCheckedSockets({ allow: makeAllowList(web_allow) }) : undefined;
  const trouble = wheels === undefined ? undefined : troubleWithWheels(wheels, hiddenPaths(installation));
  if (trouble !== undefined) throw new Error(`ATRIUM_SANDBOX_WHEELS: ${wheels} can't be used: ${trouble}`);
  const makers: EngineMakers = {
    bubblewrap: () => makeBubblewrap({ root, limits, installation, wheels, ...(open && { open }) }),
    'just-bash': () => makeJustBash({ root, limits, installation, has_wheels: wheels !== undefined }),
    ...(docker && { docker: () => makeDocker({ ...docker, limits, wheels }) }),
    ...(e2b && { e2b: () => makeE2b({ ...e2b, limits }) }),
    ...(daytona && { daytona: () => makeDaytona({ ...daytona, limits }) }),
  };
  // An engine that the operator has chosen is never replaced by a weaker one.
  const configured: SandboxEngineName[] = [...(e2b ? ['e2b' as const] : []), ...(daytona ? ['daytona' as const] : [])];
  const own: SandboxEngineName[] = ['bubblewrap', 'just-bash'];
  const order = engine === 'auto' ? (configured.length ? configured.slice(0, 1) : own) : [engine];
  return makeEngines({ limits, makers, order });
}

/** Composes the sandboxes. Tools of agents use `commands.run`, `sandboxes` and `files`. */
export function composeSandboxes({
  db,
  notifier,
  config,
  blobs,
  log,
  commands_at_once,
  locks,
}: {
  db: Database;
  notifier: Notifier;
  config: SandboxConfig & Pick<Config, 'blobs'>;
  blobs: BlobStore;
  log: Log;
  commands_at_once: number;
  locks: Locks | undefined;
}) {
  const engines = makeSandboxEngines(config);
  const stopNotifier = makeStopNotifier({ db, notifier });
  const removedNotifier = makeStopNotifier({ db, notifier, topic: 'removed_sandboxes' });
  // Nodes whose files are in a bucket need no disk in common.
  const isShared = config.blobs !== undefined;
  const most_bytes = 2 * config.sandboxes.disk_bytes + descriptionBytes;
  const stored = makeStoredFiles({ db, blobs, log, removedNotifier, isShared, most_bytes });
  if (isShared) clearCopies({ db, engines, removedNotifier, log });
  const jobs = makeSandboxJobs({ db, stopNotifier, engines, files: stored });
  const own = makeCommandSlots(commands_at_once);
  const lanes = locks ? lockLanes(own, locks) : own;
  const open_terminals = makeOpenTerminals();
  const sandboxes = makeSandboxes({
    ...{ db, stopNotifier, engines, files: stored },
    lanes: { idle: async (id) => void (await Promise.all([lanes.idle(id), open_terminals.idle(id)])) },
    network_allowed: config.sandboxes.network,
    max_per_workspace: config.sandboxes.max_per_workspace,
    destroyLater: (tx, { id, engine, ref }) =>
      enqueue(tx, jobs.destroy, { id, engine, ref }, { run_at: new Date(Date.now() + 30_000) }),
  });
  const commands = makeSandboxCommands({ engines, sandboxes, lanes, stopNotifier, files: stored });
  const files = makeSandboxFiles(sandboxes, stored);
  const terminals = makeTerminals({
    ...{ db, notifier, engines, sandboxes, stopNotifier, open_terminals, files: stored },
    ...{ most: commands_at_once, idle_seconds: idleSeconds },
  });
  const routes = sandboxRoutes(sandboxes, commands, files, terminals);
  return { engines, jobs, sandboxes, commands, files, routes, close: terminals.close };
}

/** The state of the sandboxes for /ready: the engine and its isolation, or that the self-test still runs. */
export function sandboxState(engines: SandboxEngines): string {
  const known = engines.known();
  if (!known) return 'checking';
  return known.usable ? `${known.engine} (${known.isolation})` : `unavailable: ${known.advice}`;
}
