import { statfs } from 'node:fs/promises';
import type { SystemAdvice, SystemState } from '@atrium/contract/system/schema.ts';
import type { Scope } from '../../lib/scope.ts';

/** The state of the server, for administrators of the organization. */
export interface System {
  get(scope: Scope): Promise<SystemState>;
}

export interface SystemDeps {
  version: string;
  roles: SystemState['roles'];
  data_dir: string;
  embedded: boolean;
  tagger: SystemState['tagger'];
  is_encrypted: boolean;
  has_mail: boolean;
  public_url: string;
  /** The environment variables that are set, without their values. */
  environment: SystemState['environment'];
  /** The bytes of memory that all server processes on this machine hold, without PostgreSQL and sandboxes. */
  memory(): Promise<number>;
  queue(): Promise<SystemState['queue']>;
  workers(): Promise<SystemState['workers']>;
  database(): Promise<Omit<SystemState['database'], 'embedded'>>;
  sandboxes(): SystemState['sandboxes'];
  hasLanguageModel(scope: Scope): Promise<boolean>;
}

const gigabyte = 1024 ** 3;
const isLow = ({ free_bytes, total_bytes }: SystemState['disk']) =>
  free_bytes < 2 * gigabyte || free_bytes < total_bytes / 20;

type Facts = Pick<SystemState, 'workers' | 'queue' | 'disk' | 'sandboxes'> & { has_model: boolean };

/** What would be better, the most urgent first. */
function adviceFor(deps: SystemDeps, { workers, queue, disk, sandboxes, has_model }: Facts): SystemAdvice[] {
  const { protocol, hostname } = new URL(deps.public_url);
  const isLocal = ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
  const all: [isWanted: boolean, code: SystemAdvice['code'], message: string][] = [
    [workers.alive === 0, 'no_worker', 'No worker takes jobs: start a process with ATRIUM_ROLES=worker.'],
    [isLow(disk), 'disk_low', 'The disk is almost full: free some space, or move ATRIUM_DATA_DIR.'],
    [queue.failed > 0, 'jobs_failed', `${queue.failed} jobs failed for good: the log of the server says why.`],
    [!has_model, 'no_language_model', 'Only the built-in model answers: add a provider of language models.'],
    [sandboxes.state === 'unavailable', 'sandbox_unavailable', `Agents can't run code. ${sandboxes.advice}`.trim()],
    [
      sandboxes.isolation === 'emulated',
      'sandbox_emulated',
      `Sandboxes are emulated and run no real programs. ${sandboxes.advice}`.trim(),
    ],
    [
      !isLocal && protocol !== 'https:',
      'public_url_insecure',
      'Browsers reach the server without encryption: put a proxy with TLS before it, and set ATRIUM_PUBLIC_URL.',
    ],
    [!deps.is_encrypted, 'files_not_encrypted', 'Files are stored unencrypted: set ATRIUM_ENCRYPT_AT_REST=on.'],
    [deps.tagger === 'words', 'tagger_words', 'Names are found by word lists: ATRIUM_TAGGER=neural finds more.'],
    [!deps.has_mail, 'no_mail', 'People get no mail: set ATRIUM_SMTP_URL for invitations and lost passwords.'],
  ];
  return all.filter(([isWanted]) => isWanted).map(([, code, message]) => ({ code, message }));
}

const started_at = new Date(Date.now() - process.uptime() * 1000).toISOString();

export function makeSystem(deps: SystemDeps): System {
  return {
    async get(scope) {
      const [memory_bytes, queue, workers, database, has_model, { bavail, blocks, bsize }] = await Promise.all([
        ...([deps.memory(), deps.queue(), deps.workers(), deps.database()] as const),
        deps.hasLanguageModel(scope),
        statfs(deps.data_dir),
      ]);
      const disk = { free_bytes: bavail * bsize, total_bytes: blocks * bsize };
      const sandboxes = deps.sandboxes();
      const { version, roles, embedded, tagger, environment } = deps;
      return {
        ...{ version, node: process.version, platform: `${process.platform} ${process.arch}`, roles, started_at },
        ...{ memory_bytes, workers, queue, disk, database: { ...database, embedded } },
        ...{ sandboxes, tagger, environment },
        advice: adviceFor(deps, { workers, queue, disk, sandboxes, has_model }),
      };
    },
  };
}
