import { resolve } from 'node:path';
import { z } from 'zod';
import type { ProviderConfig, ProviderKind } from './lib/provider-address.ts';
import { type EngineName, engineNames } from './lib/sandbox-engines.ts';

const roles = ['http', 'worker'] as const;
const megabytes = (fallback: number) => z.coerce.number().positive().max(100_000).default(fallback);

/** Texts separated by commas; a slash at the end of an address means nothing. */
const listOf = (item: z.ZodType<string, string>) =>
  z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim().replace(/\/+$/, '')))
    .pipe(z.array(item).min(1))
    .optional();

const webAddress = z.string().refine((text) => /^https?:\/\//.test(text) && URL.canParse(text), {
  error: 'each address must start with http:// or https://',
});

const key = (whose: string) => z.string().min(1).optional().describe(`API key of ${whose}`);
const addresses = (instead: string) =>
  listOf(webAddress).describe(`${instead}; several, separated by commas, are tried in order`);
const names = (where: string) => listOf(z.string().min(1)).describe(`Models ${where}, separated by commas`);

/** The variables that configure providers of models. */
const providerVariables = {
  OPENAI_API_KEY: key('OpenAI'),
  OPENAI_BASE_URL: addresses("Address to use instead of OpenAI's own, spoken to by /chat/completions"),
  OPENAI_MODELS: names('at OPENAI_BASE_URL, instead of asking it for its list'),
  ANTHROPIC_API_KEY: key('Anthropic'),
  ANTHROPIC_BASE_URL: addresses("Address to use instead of Anthropic's own"),
  GOOGLE_API_KEY: key('Google (Gemini)'),
  GOOGLE_BASE_URL: addresses("Address to use instead of Google's own"),
  MISTRAL_API_KEY: key('Mistral'),
  MISTRAL_BASE_URL: addresses("Address to use instead of Mistral's own"),
  AZURE_API_KEY: key('Azure OpenAI'),
  AZURE_BASE_URL: addresses('Address of the Azure OpenAI resource, as https://NAME.openai.azure.com/openai'),
  AZURE_API_VERSION: z
    .string()
    .optional()
    .describe('A dated API version, to speak to Azure deployments in the older way'),
  AZURE_MODELS: names('(deployments) at Azure'),
  BEDROCK_API_KEY: key('Amazon Bedrock, instead of the two AWS keys'),
  BEDROCK_BASE_URL: addresses("Address to use instead of Bedrock's own in AWS_REGION"),
  AWS_REGION: z.string().optional().describe('Region of Amazon Bedrock; Bedrock is used when it and keys are set'),
  AWS_ACCESS_KEY_ID: z.string().optional().describe('AWS key for Amazon Bedrock'),
  AWS_SECRET_ACCESS_KEY: z.string().optional().describe('AWS secret for Amazon Bedrock'),
  OPENAI_COMPATIBLE_API_KEY: key('the server at OPENAI_COMPATIBLE_BASE_URL, where it wants one'),
  OPENAI_COMPATIBLE_BASE_URL: addresses('Address of any other server that speaks /chat/completions (Ollama, vLLM, …)'),
  OPENAI_COMPATIBLE_MODELS: names('there, instead of asking it for its list'),
};

/** The variables that say where code runs. */
const sandboxVariables = {
  ATRIUM_SANDBOX_ENGINE: z
    .enum(['auto', ...engineNames])
    .default('auto')
    .describe(
      'Where code runs: bubblewrap, just-bash, docker, e2b or daytona; auto takes E2B or Daytona when their key is set, ' +
        'else the better of the first two that works here',
    ),
  ATRIUM_SANDBOX_NETWORK: z
    .enum(['true', 'false'])
    .default('false')
    .describe(
      'true lets sandboxes that ask for it reach the public internet, through a proxy that refuses private addresses',
    ),
  ATRIUM_SANDBOX_MEMORY_MB: z.coerce
    .number()
    .int()
    .min(32)
    .max(1_000_000)
    .default(512)
    .describe('Memory of one command in a sandbox, in megabytes'),
  ATRIUM_SANDBOX_DISK_MB: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .default(200)
    .describe('What the files of one sandbox may take, in megabytes'),
  ATRIUM_SANDBOX_CONCURRENCY: z.coerce
    .number()
    .int()
    .min(0)
    .max(10_000)
    .default(0)
    .describe('Commands that run in sandboxes at once; others wait in line; 0 is twice the number of cores'),
  ATRIUM_MAX_SANDBOXES_PER_WORKSPACE: z.coerce
    .number()
    .int()
    .min(1)
    .max(100_000)
    .default(100)
    .describe('How many sandboxes a workspace may have'),
  ATRIUM_SANDBOX_DOCKER_SOCKET: z
    .string()
    .startsWith('/')
    .default('/var/run/docker.sock')
    .describe('Socket of the Docker engine, for ATRIUM_SANDBOX_ENGINE=docker'),
  ATRIUM_SANDBOX_IMAGE: z.string().min(1).default('python:3.13-slim').describe('Image that Docker runs commands in'),
  E2B_API_KEY: key('E2B'),
  E2B_BASE_URL: webAddress.default('https://api.e2b.app').describe("Address of E2B's API"),
  E2B_TEMPLATE: z.string().min(1).default('base').describe('Template of sandboxes at E2B'),
  DAYTONA_API_KEY: key('Daytona'),
  DAYTONA_BASE_URL: webAddress.default('https://app.daytona.io/api').describe("Address of Daytona's API"),
};

/** The variables that say which service searches the web; the first that is set is asked. */
const searchVariables = {
  ATRIUM_SEARXNG_URL: webAddress
    .transform((text) => text.replace(/\/+$/, ''))
    .optional()
    .describe('Address of a SearXNG that searches the web for agents; it has to answer in JSON'),
  BRAVE_API_KEY: key('Brave Search, to search the web for agents'),
  BRAVE_BASE_URL: webAddress.default('https://api.search.brave.com/res/v1').describe("Address of Brave Search's API"),
  TAVILY_API_KEY: key('Tavily, to search the web for agents'),
  TAVILY_BASE_URL: webAddress.default('https://api.tavily.com').describe("Address of Tavily's API"),
};

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
  ATRIUM_MAX_RUNS: z.coerce
    .number()
    .int()
    .min(1)
    .max(10_000)
    .default(200)
    .describe('Runs that this process carries at once; others wait in line'),
  ATRIUM_MAX_RUNS_PER_WORKSPACE: z.coerce
    .number()
    .int()
    .min(1)
    .max(10_000)
    .default(100)
    .describe('How many of them one workspace may have'),
  ATRIUM_EGRESS_APPROVAL: z
    .enum(['on', 'off'])
    .default('on')
    .describe(
      'Whether a person must agree before an agent that has read private and untrusted things sends anything out',
    ),
  ATRIUM_APPROVAL_TIMEOUT: z.coerce
    .number()
    .int()
    .min(1)
    .max(31_536_000)
    .default(86_400)
    .describe('Seconds after which a tool call that nobody has approved counts as rejected'),
  ATRIUM_DB_POOL: z.coerce.number().int().min(2).max(500).default(16).describe('Database connections of this process'),
  ATRIUM_MODELS_FILE: z
    .string()
    .optional()
    .describe('JSON file with models to add to the built-in catalogue, or to change in it'),
  ATRIUM_MCP_CONFIG: z
    .string()
    .optional()
    .describe('JSON file with MCP servers that are programs, which agents may then use by name ({"mcpServers": {…}})'),
  ATRIUM_MCP_ORIGINS: z
    .string()
    .default('')
    .transform((text) => text.split(',').flatMap((one) => one.trim() || []))
    .describe('Web origins whose pages may call /mcp, besides loopback (https://app.example.com), separated by commas'),
  ATRIUM_TAGGER: z
    .enum(['neural', 'words'])
    .default('neural')
    .describe('What finds names, places and groups: neural (our model) or words (lists and phrases; finds less)'),
  ATRIUM_TAGGER_URL: webAddress
    .transform((text) => text.replace(/\/+$/, ''))
    .optional()
    .describe("Address of a service that speaks the protocol of Presidio's analyzer, to find them instead"),
  ATRIUM_GUARDRAIL_MODEL: z
    .string()
    .optional()
    .describe('Model that guardrails ask (provider/name); without it the least expensive one'),
  ATRIUM_GUARDRAIL_TIMEOUT: z.coerce
    .number()
    .positive()
    .max(600)
    .default(10)
    .describe('Seconds for one call of a guardrail; then it counts as failed, and nothing passes'),
  ATRIUM_INSIGHTS_MODEL: z
    .string()
    .optional()
    .describe(
      'Model that is asked about conversations that are over (provider/name); without it the least expensive one',
    ),
  ATRIUM_INSIGHTS_AFTER: z.coerce
    .number()
    .min(0)
    .max(10_000)
    .default(10)
    .describe('Minutes without a message after which a conversation counts as over and is looked at'),
  ATRIUM_TRACE_DAYS: z.coerce
    .number()
    .int()
    .min(0)
    .max(3650)
    .default(14)
    .describe('Days for which the prompts of runs are kept, sealed, for their traces; 0 keeps none'),
  OTEL_EXPORTER_OTLP_ENDPOINT: webAddress
    .optional()
    .describe('Address of an OpenTelemetry collector (OTLP over HTTP with JSON) that traces of runs are sent to'),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .default('')
    .transform((text) => text.split(',').flatMap((entry) => entry.trim() || []))
    .refine((entries) => entries.every((entry) => /^[\w-]+=/.test(entry)), {
      error: 'OTEL_EXPORTER_OTLP_HEADERS must be name=value, separated by commas',
    })
    .describe('Headers for the collector, as name=value, separated by commas'),
  OTEL_SERVICE_NAME: z.string().min(1).default('atrium').describe('What traces call this program'),
  ATRIUM_NEW_SECRET_KEY: z
    .string()
    .min(16, 'ATRIUM_NEW_SECRET_KEY needs at least 16 characters; `openssl rand -base64 32` makes a good one')
    .optional()
    .describe('The next master key, read by `npm run rotate-key` where ATRIUM_SECRET_KEY sets the present one'),
  ATRIUM_VARIABLE_PREFIX: z
    .string()
    .regex(/^[A-Za-z]\w*_$/, 'ATRIUM_VARIABLE_PREFIX must be a word that ends with _')
    .refine((prefix) => !ownNames().some((name) => name.startsWith(prefix.toUpperCase())), {
      error: 'ATRIUM_VARIABLE_PREFIX would open settings of the program itself to the workspaces',
    })
    .default('ATRIUM_VAR_')
    .describe('How the names of environment variables begin that variables of workspaces may read'),
  ...sandboxVariables,
  ...searchVariables,
  ATRIUM_IMAGE_MODEL: z
    .string()
    .optional()
    .describe('Model that makes images for agents (provider/name); without it they make none'),
  ATRIUM_EMBEDDING_MODEL: z
    .string()
    .optional()
    .describe(
      'Embedding model of knowledge bases that name none (provider/name); without it they are searched by words',
    ),
  ATRIUM_RERANK_URL: webAddress.optional().describe('Address of a hosted ranking API; it is asked at /rerank below it'),
  ATRIUM_RERANK_API_KEY: key('the hosted ranking API'),
  ...providerVariables,
});

/** The names of all settings, which no workspace may read. */
const ownNames = (): string[] => Object.keys(environment.shape);

export interface SandboxConfig {
  engine: 'auto' | EngineName;
  network: boolean;
  memory_bytes: number;
  disk_bytes: number;
  /** 0: as many as suit the machine. */
  concurrency: number;
  max_per_workspace: number;
  docker: { socket: string; image: string } | undefined;
  e2b: { api_key: string; base_url: string; template: string } | undefined;
  daytona: { api_key: string; base_url: string } | undefined;
}

export interface SearchConfig {
  service: 'searxng' | 'brave' | 'tavily';
  url: string;
  api_key: string;
}

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
  max_runs: number;
  max_runs_per_workspace: number;
  egress_approval: boolean;
  approval_timeout: number;
  db_pool: number;
  models_file: string | undefined;
  mcp_config: string | undefined;
  mcp_origins: readonly string[];
  guardrail_model: string | undefined;
  guardrail_timeout_ms: number;
  insights_model: string | undefined;
  insights_after_ms: number;
  trace_days: number;
  /** Where traces are sent; `wait_ms` after the end of a run. */
  otlp: { endpoint: string; headers: Record<string, string>; service: string; wait_ms: number } | undefined;
  tagger: 'neural' | 'words';
  tagger_url: string | undefined;
  new_secret_key: string | undefined;
  variable_prefix: string;
  /** The environment variables that workspaces may read, by name. */
  variable_values: Readonly<Record<string, string>>;
  sandboxes: SandboxConfig;
  /** The service that searches the web; undefined when none is configured. */
  search: SearchConfig | undefined;
  image_model: string | undefined;
  embedding_model: string | undefined;
  rerank_url: string | undefined;
  rerank_api_key: string | undefined;
  providers: readonly ProviderConfig[];
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

type ProviderEnvironment = { [K in keyof typeof providerVariables]?: z.output<(typeof providerVariables)[K]> };

/** A key or an address is enough to use a provider; Bedrock needs a region and keys. */
export function providersFrom(e: ProviderEnvironment): ProviderConfig[] {
  const account = (
    provider: ProviderKind,
    api_key: string | undefined,
    base_urls: string[] | undefined,
    more: Partial<ProviderConfig> = {},
  ): ProviderConfig[] => {
    if (api_key === undefined && base_urls === undefined) return [];
    const none = { api_version: null, region: null, access_key_id: null, secret_access_key: null, models: [] };
    return [{ ...none, name: provider, provider, base_urls: base_urls ?? [], api_key: api_key ?? null, ...more }];
  };
  const aws = {
    region: e.AWS_REGION ?? null,
    access_key_id: e.AWS_ACCESS_KEY_ID ?? null,
    secret_access_key: e.AWS_SECRET_ACCESS_KEY ?? null,
  };
  const canBedrock = aws.region && (e.BEDROCK_API_KEY || (aws.access_key_id && aws.secret_access_key));
  return [
    ...account('openai', e.OPENAI_API_KEY, e.OPENAI_BASE_URL, { models: e.OPENAI_MODELS ?? [] }),
    ...account('anthropic', e.ANTHROPIC_API_KEY, e.ANTHROPIC_BASE_URL),
    ...account('google', e.GOOGLE_API_KEY, e.GOOGLE_BASE_URL),
    ...account('mistral', e.MISTRAL_API_KEY, e.MISTRAL_BASE_URL),
    ...(e.AZURE_BASE_URL
      ? account('azure', e.AZURE_API_KEY, e.AZURE_BASE_URL, {
          api_version: e.AZURE_API_VERSION ?? null,
          models: e.AZURE_MODELS ?? [],
        })
      : []),
    ...(canBedrock ? account('bedrock', e.BEDROCK_API_KEY, e.BEDROCK_BASE_URL ?? [], aws) : []),
    ...(e.OPENAI_COMPATIBLE_BASE_URL
      ? account('openai-compatible', e.OPENAI_COMPATIBLE_API_KEY, e.OPENAI_COMPATIBLE_BASE_URL, {
          models: e.OPENAI_COMPATIBLE_MODELS ?? [],
        })
      : []),
  ];
}

const megabyte = 1024 * 1024;

function sandboxesFrom(e: Environment): SandboxConfig {
  const { ATRIUM_SANDBOX_ENGINE: engine, E2B_API_KEY, DAYTONA_API_KEY } = e;
  const missing = {
    e2b: E2B_API_KEY === undefined && 'E2B_API_KEY',
    daytona: DAYTONA_API_KEY === undefined && 'DAYTONA_API_KEY',
  };
  const needed = engine === 'e2b' || engine === 'daytona' ? missing[engine] : false;
  if (needed)
    throw new Error(
      `The settings in the environment are not valid:\n  ATRIUM_SANDBOX_ENGINE: ${engine} needs ${needed}`,
    );
  return {
    engine,
    network: e.ATRIUM_SANDBOX_NETWORK === 'true',
    memory_bytes: e.ATRIUM_SANDBOX_MEMORY_MB * megabyte,
    disk_bytes: e.ATRIUM_SANDBOX_DISK_MB * megabyte,
    concurrency: e.ATRIUM_SANDBOX_CONCURRENCY,
    max_per_workspace: e.ATRIUM_MAX_SANDBOXES_PER_WORKSPACE,
    docker: engine === 'docker' ? { socket: e.ATRIUM_SANDBOX_DOCKER_SOCKET, image: e.ATRIUM_SANDBOX_IMAGE } : undefined,
    e2b: E2B_API_KEY ? { api_key: E2B_API_KEY, base_url: e.E2B_BASE_URL, template: e.E2B_TEMPLATE } : undefined,
    daytona: DAYTONA_API_KEY ? { api_key: DAYTONA_API_KEY, base_url: e.DAYTONA_BASE_URL } : undefined,
  };
}

function searchFrom(e: Environment): SearchConfig | undefined {
  if (e.ATRIUM_SEARXNG_URL) return { service: 'searxng', url: e.ATRIUM_SEARXNG_URL, api_key: '' };
  if (e.BRAVE_API_KEY) return { service: 'brave', url: e.BRAVE_BASE_URL, api_key: e.BRAVE_API_KEY };
  return e.TAVILY_API_KEY ? { service: 'tavily', url: e.TAVILY_BASE_URL, api_key: e.TAVILY_API_KEY } : undefined;
}

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
    max_runs: e.ATRIUM_MAX_RUNS,
    max_runs_per_workspace: e.ATRIUM_MAX_RUNS_PER_WORKSPACE,
    egress_approval: e.ATRIUM_EGRESS_APPROVAL === 'on',
    approval_timeout: e.ATRIUM_APPROVAL_TIMEOUT,
    db_pool: e.ATRIUM_DB_POOL,
    models_file: e.ATRIUM_MODELS_FILE,
    mcp_config: e.ATRIUM_MCP_CONFIG,
    mcp_origins: e.ATRIUM_MCP_ORIGINS,
    guardrail_model: e.ATRIUM_GUARDRAIL_MODEL,
    tagger: e.ATRIUM_TAGGER,
    tagger_url: e.ATRIUM_TAGGER_URL,
    guardrail_timeout_ms: Math.round(e.ATRIUM_GUARDRAIL_TIMEOUT * 1000),
    insights_model: e.ATRIUM_INSIGHTS_MODEL,
    insights_after_ms: Math.round(e.ATRIUM_INSIGHTS_AFTER * 60_000),
    trace_days: e.ATRIUM_TRACE_DAYS,
    otlp: e.OTEL_EXPORTER_OTLP_ENDPOINT
      ? {
          endpoint: e.OTEL_EXPORTER_OTLP_ENDPOINT,
          headers: Object.fromEntries(
            e.OTEL_EXPORTER_OTLP_HEADERS.map((entry) => {
              const [name = '', ...value] = entry.split('=');
              return [name, decodeURIComponent(value.join('='))];
            }),
          ),
          service: e.OTEL_SERVICE_NAME,
          wait_ms: 3000,
        }
      : undefined,
    new_secret_key: e.ATRIUM_NEW_SECRET_KEY,
    variable_prefix: e.ATRIUM_VARIABLE_PREFIX,
    variable_values: Object.fromEntries(
      Object.entries(given).flatMap(([name, value]) =>
        name.startsWith(e.ATRIUM_VARIABLE_PREFIX) && value !== undefined ? [[name, value]] : [],
      ),
    ),
    sandboxes: sandboxesFrom(e),
    search: searchFrom(e),
    image_model: e.ATRIUM_IMAGE_MODEL,
    embedding_model: e.ATRIUM_EMBEDDING_MODEL,
    rerank_url: e.ATRIUM_RERANK_URL,
    rerank_api_key: e.ATRIUM_RERANK_API_KEY,
    providers: providersFrom(e),
  });
}
