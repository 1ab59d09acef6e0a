import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import type { Bell } from '../db/bell.ts';
import type { Database } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { ConversationLinks } from '../features/conversations/links.ts';
import type { makePrincipals } from '../features/keys/principals.ts';
import { addChatPages, type ChatPages } from '../http/chat-pages.ts';
import { addMcp, type McpOptions } from '../http/mcp.ts';
import { addMetrics } from '../http/metrics.ts';
import { addHealth } from '../http/open-endpoints.ts';
import { openApi } from '../http/openapi.ts';
import { addReference } from '../http/reference.ts';
import { makeRequestLimits } from '../http/request-limits.ts';
import { makeServer } from '../http/server.ts';
import type { IdempotencyStore } from '../lib/idempotency.ts';
import { errorFields, type Log } from '../lib/log.ts';
import type { Route } from '../lib/route.ts';
import { type makeSandboxing, sandboxState } from './sandboxes.ts';

/** The server with everything that is reached over HTTP: the routes, and what stands beside them. */
export function makeServing(deps: {
  db: Database;
  bell: Bell;
  log: Log;
  config: Config;
  routes: readonly Route[];
  principals: ReturnType<typeof makePrincipals>;
  links: Pick<ConversationLinks, 'principalOfLink'>;
  idempotency: IdempotencyStore;
  mcp: Pick<McpOptions, 'handle' | 'resume'>;
  chatPages: ChatPages;
  sandboxing: Pick<ReturnType<typeof makeSandboxing>, 'engines'>;
}): FastifyInstance {
  const { db, bell, log, config, routes, principals, idempotency } = deps;
  const { engines } = deps.sandboxing;
  const { max_json_bytes, max_upload_bytes, trusted_proxies, public_url } = config;
  const onChange = (listener: (credential_id: string) => void) => {
    bell.on('keys', listener);
    bell.on('links', listener);
    bell.onMissed(() => listener(''));
  };
  const resolver = { ...principals, principalOfLink: deps.links.principalOfLink, onChange };
  const measure = (own: FastifyInstance) => addMetrics(own, { token: config.metrics_token, pool: db.pool });
  const request_limits = makeRequestLimits(config);
  const limits = { max_json_bytes, max_upload_bytes, trusted_proxies, public_url, request_limits };
  const server = makeServer({ routes, resolver, idempotency, log, ...limits, measure });
  addMcp(server, { resolver, log, request_limits, origins: config.mcp_origins, ...deps.mcp });
  addHealth(server, async () => {
    const reached = await db.row(sql`select 1`).then(
      () => true,
      () => false,
    );
    const sandboxes = sandboxState(engines);
    return { ready: reached, checks: { database: reached ? 'ok' : 'unreachable', migrations: 'done', sandboxes } };
  });
  // Only once callers are served: the self-test takes longer than the start.
  server.addHook('onListen', async () => {
    engines.chosen().catch((error) => log.error('The self-test of sandboxes failed', errorFields(error)));
  });
  addReference(server, () => openApi(routes));
  addChatPages(server, deps.chatPages);
  return server;
}
