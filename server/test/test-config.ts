import type { Config } from '../src/config.ts';

export const adminKey = 'test-admin-key-0123456789abcdef0123456789';

/** The settings of a server under test; nothing of it comes from the environment. */
export const testConfig = (data_dir: string, changes: Partial<Config> = {}): Config => ({
  host: '127.0.0.1',
  port: 0,
  data_dir,
  admin_key: adminKey,
  secret_key: 'test-secret-key-0123456789abcdef0123456789',
  database_url: undefined,
  roles: ['http'],
  log_level: 'silent',
  metrics_token: undefined,
  max_json_bytes: 2 * 1024 * 1024,
  max_upload_bytes: 2 * 1024 * 1024 * 1024,
  web_allow: [],
  max_runs: 200,
  max_runs_per_workspace: 100,
  db_pool: 6,
  models_file: undefined,
  guardrail_model: undefined,
  guardrail_timeout_ms: 10_000,
  tagger: 'neural',
  tagger_url: undefined,
  new_secret_key: undefined,
  variable_prefix: 'ATRIUM_VAR_',
  variable_values: {},
  sandboxes: {
    engine: 'auto',
    network: false,
    memory_bytes: 512 * 1024 * 1024,
    disk_bytes: 200 * 1024 * 1024,
    concurrency: 0,
    max_per_workspace: 100,
    docker: undefined,
    e2b: undefined,
    daytona: undefined,
  },
  providers: [],
  ...changes,
});
