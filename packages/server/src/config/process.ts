import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import {
  baseAddress,
  blocks,
  masterKey,
  megabyte,
  megabytes,
  texts,
  type Values,
  whole,
} from '../lib/environment-fields.ts';
import { adminKey } from './admin-key.ts';
import { chooseProcesses } from './processes.ts';

const quota = (fallback: number) => z.coerce.number().min(0).max(1_000_000_000).default(fallback);

/** The quota of workspaces when the operator sets none: some millions of messages with their runs. */
const workspaceQuotaMb = 51_200;

const roles = ['http', 'worker'] as const;

/** Where the program listens, where its data is, and how much it takes. */
const builtConsole = fileURLToPath(new URL('../../../console/dist', import.meta.url));

export const processVariables = {
  HOST: z.string().default('127.0.0.1').describe('Address to listen on'),
  PORT: z.coerce.number().int().min(0).max(65535).default(8080).describe('Port to listen on; 0 takes a free one'),
  ATRIUM_PUBLIC_URL: baseAddress
    .optional()
    .describe('Address by which browsers reach this server (https://atrium.example.com); http://HOST:PORT when absent'),
  ATRIUM_CONSOLE_DIR: z
    .string()
    .optional()
    .describe(
      'Folder of the built console, which is served at /; packages/console/dist of the program when absent. Without one there, / leads to the API reference',
    ),
  ATRIUM_DATA_DIR: z.string().default('./data').describe('Where the database, the master key and files live'),
  ATRIUM_ADMIN_KEY: adminKey.describe(
    'Admin API key to accept (24 characters at least), instead of one that is made and printed on the first start',
  ),
  ATRIUM_SECRET_KEY: masterKey('ATRIUM_SECRET_KEY').describe(
    'Master key; made with mode 0600 in the data directory when absent',
  ),
  ATRIUM_ENCRYPT_AT_REST: z
    .enum(['on', 'off'])
    .default('off')
    .describe(
      'on: files and what people and models said are stored encrypted with keys of their workspace, and jobs encrypt what is there; off: jobs decrypt it',
    ),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'DATABASE_URL must start with postgres://')
    .optional()
    .describe('A PostgreSQL server (15 or newer) to use instead of the embedded one'),
  DATABASE_DIRECT_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'DATABASE_DIRECT_URL must start with postgres://')
    .optional()
    .describe(
      'The same database without the pooler, when DATABASE_URL leads through one in transaction mode (PgBouncer): for notifications, migrations, jobs and queries of tables',
    ),
  ATRIUM_BACKUP_PASSPHRASE: z
    .string()
    .min(12)
    .optional()
    .describe(
      'Passphrase of the backups that `npm run backup` writes and `npm run restore` reads, 12 characters at least',
    ),
  ATRIUM_DRAIN_SECONDS: whole(0, 300, 5).describe(
    'Seconds for which a process that is told to end by SIGTERM still answers, while /ready says that no more should come; with DATABASE_URL only, since without it no other process could answer',
  ),
  ATRIUM_HEALTH_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65535)
    .optional()
    .describe('Port for /health, /ready and /metrics of a process that has the role worker alone; none when absent'),
  ATRIUM_ROLES: z
    .string()
    .default('http,worker')
    .transform((text) => text.split(',').map((role) => role.trim()))
    .pipe(z.array(z.enum(roles)).min(1))
    .describe('What this process does: http, worker or both'),
  ATRIUM_PROCESSES: z.coerce
    .number()
    .int()
    .min(1)
    .max(64)
    .optional()
    .describe(
      'Processes that share the work of this machine, on one port; the number of cores but at most 4 when absent, and 1 with two cores or less than 3 GB of memory',
    ),
  ATRIUM_LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('debug, info, warn, error or silent; debug has a line for each request'),
  ATRIUM_METRICS_TOKEN: z
    .string()
    .min(8)
    .optional()
    .describe('Bearer token for /metrics from elsewhere; without it only loopback may read them'),
  ATRIUM_MAX_JSON_MB: megabytes(2).describe('Largest JSON body, in megabytes'),
  ATRIUM_MAX_UPLOAD_MB: megabytes(2048).describe('Largest file that can be uploaded, in megabytes'),
  ATRIUM_VISITOR_QUOTA_MB: quota(100).describe(
    'Files that one visitor of a public page or a shared conversation may keep, in megabytes; 0: no limit',
  ),
  ATRIUM_PAGE_QUOTA_MB: quota(2048).describe(
    'Files that all visitors of one deployment may keep together, in megabytes; 0: no limit',
  ),
  ATRIUM_WORKSPACE_QUOTA_MB: z.coerce
    .number()
    .min(0)
    .max(1_000_000_000)
    .optional()
    .describe(
      'Messages, runs, rows and files that a workspace may keep together, in megabytes; 0: no limit. 51200 when absent, and then a file_quota_mb of the workspace replaces it',
    ),
  ATRIUM_ORG_QUOTA_MB: quota(0).describe('Files that the organization may keep, in megabytes; 0: no limit'),
  ATRIUM_TRUSTED_PROXIES: blocks('ATRIUM_TRUSTED_PROXIES', 'loopback').describe(
    'Proxies in front of this server whose X-Forwarded-For is believed: addresses, blocks (10.1.0.0/16), loopback, linklocal or uniquelocal; those on this machine when absent',
  ),
  ATRIUM_REQUESTS_PER_MINUTE: whole(0, 1_000_000, 30_000).describe(
    'Requests that one API key or one person may make in a minute; 0: as many as they like. A key or person may have a rate_limit of its own',
  ),
  ATRIUM_STREAMS_PER_CALLER: whole(0, 1_000_000, 1000).describe(
    'Event streams that one API key, person or guest may hold open at once in each process; 0: as many as they like. A key or person may have a stream_limit of its own',
  ),
  ATRIUM_FAILED_KEYS_PER_ADDRESS: whole(0, 1_000_000, 20).describe(
    'Wrong API keys that may come from one address within ten minutes before further ones have to wait; 0: as many as like',
  ),
  ATRIUM_SESSION_IDLE_MINUTES: whole(1, 525_600, 1440).describe(
    'Minutes without a request after which the session of a person ends',
  ),
  ATRIUM_AUDIT_DAYS: whole(0, 36_500, 400).describe(
    'Days for which entries of the audit log are kept; 0 keeps them for ever',
  ),
  ATRIUM_SESSION_DAYS: whole(1, 365, 14).describe('Days after which a person has to sign in again in any case'),
  ATRIUM_WEB_ALLOW: texts().describe(
    'Private hosts, addresses or blocks that may be fetched from (wiki.corp,10.1.0.0/16); none by default',
  ),
};

export const processFrom = (e: Values<typeof processVariables>) => ({
  host: e.HOST,
  port: e.PORT,
  public_url: e.ATRIUM_PUBLIC_URL ?? `http://${e.HOST}:${e.PORT}`,
  console_dir: e.ATRIUM_CONSOLE_DIR ? resolve(e.ATRIUM_CONSOLE_DIR) : builtConsole,
  data_dir: resolve(e.ATRIUM_DATA_DIR),
  admin_key: e.ATRIUM_ADMIN_KEY,
  secret_key: e.ATRIUM_SECRET_KEY,
  encrypt_at_rest: e.ATRIUM_ENCRYPT_AT_REST === 'on',
  database_url: e.DATABASE_URL,
  database_direct_url: e.DATABASE_DIRECT_URL,
  backup_passphrase: e.ATRIUM_BACKUP_PASSPHRASE,
  drain_seconds: e.DATABASE_URL === undefined ? 0 : e.ATRIUM_DRAIN_SECONDS,
  health_port: e.ATRIUM_HEALTH_PORT,
  roles: e.ATRIUM_ROLES as readonly (typeof roles)[number][],
  processes: e.ATRIUM_PROCESSES ?? chooseProcesses(),
  log_level: e.ATRIUM_LOG_LEVEL,
  metrics_token: e.ATRIUM_METRICS_TOKEN,
  max_json_bytes: Math.round(e.ATRIUM_MAX_JSON_MB * megabyte),
  max_upload_bytes: Math.round(e.ATRIUM_MAX_UPLOAD_MB * megabyte),
  quotas: {
    visitor: Math.round(e.ATRIUM_VISITOR_QUOTA_MB * megabyte),
    page: Math.round(e.ATRIUM_PAGE_QUOTA_MB * megabyte),
    workspace: Math.round((e.ATRIUM_WORKSPACE_QUOTA_MB ?? workspaceQuotaMb) * megabyte),
    organization: Math.round(e.ATRIUM_ORG_QUOTA_MB * megabyte),
  },
  workspace_quota_is_default: e.ATRIUM_WORKSPACE_QUOTA_MB === undefined,
  trusted_proxies: e.ATRIUM_TRUSTED_PROXIES as readonly string[],
  requests_per_minute: e.ATRIUM_REQUESTS_PER_MINUTE,
  streams_per_caller: e.ATRIUM_STREAMS_PER_CALLER,
  failed_keys_per_address: e.ATRIUM_FAILED_KEYS_PER_ADDRESS,
  session_idle_seconds: e.ATRIUM_SESSION_IDLE_MINUTES * 60,
  audit_days: e.ATRIUM_AUDIT_DAYS,
  session_seconds: e.ATRIUM_SESSION_DAYS * 86_400,
  web_allow: e.ATRIUM_WEB_ALLOW as readonly string[],
});
