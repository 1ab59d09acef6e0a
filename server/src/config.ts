import { resolve } from 'node:path';
import { z } from 'zod';

const roles = ['http', 'worker'] as const;
const megabytes = (fallback: number) => z.coerce.number().positive().max(100_000).default(fallback);

/** Every setting of the process, in one place. The README's table and `.env.example` are made from it. */
const environment = z.object({
  HOST: z.string().default('127.0.0.1').describe('Address to listen on'),
  PORT: z.coerce.number().int().min(0).max(65535).default(8080).describe('Port to listen on; 0 takes a free one'),
  ATRIUM_DATA_DIR: z.string().default('./data').describe('Where the database, the master key and files live'),
  ATRIUM_ADMIN_KEY: z
    .string()
    .min(8, 'ATRIUM_ADMIN_KEY needs at least 8 characters')
    .optional()
    .describe('Admin API key to accept, instead of one that is made and printed on the first start'),
  ATRIUM_SECRET_KEY: z
    .string()
    .min(16, 'ATRIUM_SECRET_KEY needs at least 16 characters; `openssl rand -base64 32` makes a good one')
    .optional()
    .describe('Master key; made with mode 0600 in the data directory when absent'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'DATABASE_URL must start with postgres://')
    .optional()
    .describe('A PostgreSQL server (15 or newer) to use instead of the embedded one'),
  ATRIUM_ROLES: z
    .string()
    .default('http,worker')
    .transform((text) => text.split(',').map((role) => role.trim()))
    .pipe(z.array(z.enum(roles)).min(1))
    .describe('What this process does: http, worker or both'),
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
  ATRIUM_WEB_ALLOW: z
    .string()
    .default('')
    .transform((text) => text.split(',').flatMap((entry) => entry.trim() || []))
    .describe('Private hosts, addresses or blocks that may be fetched from (wiki.corp,10.1.0.0/16); none by default'),
  ATRIUM_DB_POOL: z.coerce.number().int().min(2).max(500).default(16).describe('Database connections of this process'),
});

export type Environment = z.output<typeof environment>;

export interface Config {
  host: string;
  port: number;
  data_dir: string;
  admin_key: string | undefined;
  secret_key: string | undefined;
  database_url: string | undefined;
  roles: readonly (typeof roles)[number][];
  log_level: Environment['ATRIUM_LOG_LEVEL'];
  metrics_token: string | undefined;
  max_json_bytes: number;
  max_upload_bytes: number;
  web_allow: readonly string[];
  db_pool: number;
}

type Def = { type: string; in?: z.core.$ZodType; defaultValue?: unknown };

/** What a variable is when it is not set, as one would write it. */
function fallbackOf(schema: z.core.$ZodType): string {
  const def = schema._zod.def as unknown as Def;
  if (def.type === 'pipe' && def.in) return fallbackOf(def.in);
  return def.type === 'default' ? String(def.defaultValue) : '';
}

/** Names, defaults and meanings: the README's table and `.env.example` are made from these. */
export const configFields = Object.entries(environment.shape).map(([name, schema]) => ({
  name,
  fallback: fallbackOf(schema),
  meaning: schema.description ?? '',
}));

/** The only reader of the environment. An empty variable counts as absent, as `.env` files have them. */
export function loadConfig(env: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = environment.safeParse(given);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new Error(`The settings in the environment are not valid:\n${lines.join('\n')}`);
  }
  const e = parsed.data;
  return Object.freeze({
    host: e.HOST,
    port: e.PORT,
    data_dir: resolve(e.ATRIUM_DATA_DIR),
    admin_key: e.ATRIUM_ADMIN_KEY,
    secret_key: e.ATRIUM_SECRET_KEY,
    database_url: e.DATABASE_URL,
    roles: e.ATRIUM_ROLES,
    log_level: e.ATRIUM_LOG_LEVEL,
    metrics_token: e.ATRIUM_METRICS_TOKEN,
    max_json_bytes: Math.round(e.ATRIUM_MAX_JSON_MB * 1024 * 1024),
    max_upload_bytes: Math.round(e.ATRIUM_MAX_UPLOAD_MB * 1024 * 1024),
    web_allow: e.ATRIUM_WEB_ALLOW,
    db_pool: e.ATRIUM_DB_POOL,
  });
}
