import { openApi } from '@atrium/contract/openapi.ts';
import { operations } from '@atrium/contract/operations.ts';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import type { Notifier } from '../db/notifier.ts';
import type { DatabaseReadiness } from '../db/state/database-readiness.ts';
import type { Slots } from '../execution/slots.ts';
import type { AuditTrail } from '../features/audit/ports.ts';
import type { ConversationLinks } from '../features/conversations/ports.ts';
import type { IdempotencyStore } from '../features/idempotency/ports.ts';
import type { Principals } from '../features/keys/principals.ts';
import type { ScimTokens, SessionPrincipals } from '../features/people/service.ts';
import { makeSaves } from '../features/saves/service.ts';
import { addChatPages, type ChatPages } from '../http/endpoints/chat-pages.ts';
import { addConsoleFiles } from '../http/endpoints/console-files.ts';
import { addHealthEndpoints } from '../http/endpoints/health.ts';
import { addMcpEndpoint, type McpOptions } from '../http/endpoints/mcp-endpoint.ts';
import { addMetricsEndpoint } from '../http/endpoints/metrics.ts';
import { addSecurityContact } from '../http/endpoints/security-contact.ts';
import { addReference } from '../http/reference/add-reference.ts';
import { makeRequestLimits } from '../http/request-limits.ts';
import { makeServer } from '../http/server.ts';
import { makeStreamLimits } from '../http/streams/stream-limits.ts';
import type { Counters } from '../lib/counters/ports.ts';
import { errorFields, type Log } from '../lib/log.ts';
import type { MachineMetrics } from '../lib/machine/machine-metrics.ts';
import type { Route } from '../lib/route.ts';
import { nodeGauges } from './live/node-gauges.ts';
import { type composeSandboxes, sandboxState } from './tools/sandboxes.ts';

/** The server with everything that is reached over HTTP: the routes, and what stands beside them. */
export function composeHttpServer(deps: {
  db: Database;
  readDatabaseReadiness(): Promise<DatabaseReadiness>;
  isClosing(): boolean;
  runs: Pick<Slots, 'running'>;
  notifier: Notifier;
  log: Log;
  config: Config;
  routes: readonly Route[];
  principals: Principals;
  sessions: SessionPrincipals;
  scim: Pick<ScimTokens, 'principalOfScimToken'>;
  links: Pick<ConversationLinks, 'principalOfLink'>;
  idempotency: IdempotencyStore;
  audit: AuditTrail;
  mcp: Pick<McpOptions, 'handle' | 'resume' | 'end'>;
  chatPages: ChatPages;
  sandboxing: Pick<ReturnType<typeof composeSandboxes>, 'engines'>;
  counters: Counters;
  machine: MachineMetrics | undefined;
}): FastifyInstance {
  const { db, notifier, log, config, routes, principals, idempotency, audit } = deps;
  const { engines } = deps.sandboxing;
  const { max_json_bytes, max_upload_bytes, trusted_proxies, public_url } = config;
  const onChange = (listener: (credential_id: string) => void) => {
    notifier.on('keys', listener);
    notifier.on('links', listener);
    notifier.onMissed(() => listener(''));
  };
  const { principalOfSession, personOfSession } = deps.sessions;
  const { origin, protocol } = new URL(public_url);
  const resolver = {
    ...principals,
    ...{ principalOfLink: deps.links.principalOfLink, principalOfSession, personOfSession, onChange },
    principalOfScimToken: deps.scim.principalOfScimToken,
    ...{ origin, isSecure: protocol === 'https:' },
  };
  const gauges = nodeGauges({ db, notifier, runs: deps.runs, readDatabaseReadiness: deps.readDatabaseReadiness });
  const measure = (own: FastifyInstance) =>
    addMetricsEndpoint(own, { token: config.metrics_token, pool: db.pool, gauges, machine: deps.machine });
  const request_limits = makeRequestLimits({ ...config, counters: deps.counters });
  const stream_limits = makeStreamLimits(config);
  const limits = { max_json_bytes, max_upload_bytes, trusted_proxies, public_url, request_limits, stream_limits };
  const server = makeServer({
    routes,
    resolver,
    idempotency,
    audit,
    saves: makeSaves({ db }),
    log,
    ...limits,
    measure,
  });
  addMcpEndpoint(server, { resolver, log, request_limits, stream_limits, origins: config.mcp_origins, ...deps.mcp });
  addHealthEndpoints(server, async () => {
    const database = await deps.readDatabaseReadiness();
    const sandboxes = sandboxState(engines);
    const checks = { database, migrations: 'done', sandboxes };
    if (deps.isClosing()) return { ready: false, checks: { ...checks, shutdown: 'draining' } };
    return { ready: database === 'ok', checks };
  });
  addSecurityContact(server, { contact: config.security_contact, public_url });
  // Only once callers are served: the self-test takes longer than the start.
  server.addHook('onListen', async () => {
    engines.chosen().catch((error) => log.error('The self-test of sandboxes failed', errorFields(error)));
  });
  const hasConsole = addConsoleFiles(server, config.console_dir);
  addReference(server, () => openApi(operations), { atRoot: !hasConsole });
  addChatPages(server, deps.chatPages, config.console_dir);
  return server;
}
