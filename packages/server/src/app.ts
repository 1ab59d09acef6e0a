import { setTimeout as sleep } from 'node:timers/promises';
import type { Permission } from '@atrium/contract/permissions.ts';
import { effectiveSettings } from '@atrium/contract/settings/settings.ts';
import type { FastifyInstance } from 'fastify';
import type { PoolConfig } from 'pg';
import { composeSystem } from './app/admin/compose-system.ts';
import { composeAgents } from './app/agents.ts';
import { composeAudience, composeKnownViewers, composeWorkspaceAudience } from './app/audience.ts';
import { openBlobs } from './app/blobs.ts';
import { composeBudgets } from './app/budgets.ts';
import { composeChannels } from './app/channels.ts';
import { composeConversations } from './app/conversations.ts';
import { composeEvaluations } from './app/evaluations.ts';
import { composeHttpServer } from './app/http-server.ts';
import { composeInsights } from './app/insights.ts';
import { itemRules } from './app/item-rules.ts';
import { sealedColumns } from './app/keyring/sealed-columns.ts';
import { composeKnowledgeBases } from './app/knowledge-bases.ts';
import { composeEvents } from './app/live/events.ts';
import { composeNotifications } from './app/live/notifications.ts';
import { composeModels } from './app/models.ts';
import { composePersonalData, composeWorkspaceArchives } from './app/personal-data.ts';
import { composeRuns, type Running } from './app/runs.ts';
import { composeSafety } from './app/safety.ts';
import { composeSearch } from './app/search/compose-search.ts';
import { composeTables } from './app/tables.ts';
import { composeTenancy } from './app/tenancy.ts';
import { composeBaseTools } from './app/tools/base-tools.ts';
import { composeMcpClients, composeMcpServer } from './app/tools/mcp.ts';
import { composeSandboxes } from './app/tools/sandboxes.ts';
import { composeToolSources } from './app/tools/tool-sources.ts';
import { composeTraces } from './app/traces.ts';
import { composeUses } from './app/uses/compose-uses.ts';
import { composeVariables } from './app/variables.ts';
import { composeTriggers } from './app/workflows/triggers.ts';
import { composeWorkflows } from './app/workflows/workflows.ts';
import type { Config } from './config.ts';
import { type Db, openDatabase } from './db/database.ts';
import { migrateDatabase } from './db/migrate.ts';
import { openNotifier } from './db/notifier.ts';
import type { LimitMemory } from './db/query-connections.ts';
import { makeDatabaseReadiness } from './db/state/database-readiness.ts';
import { makeEncryptedBlobs } from './drivers/blobs/encrypted.ts';
import { makePreviews } from './drivers/previews/make-previews.ts';
import { allProviders } from './drivers/providers/all-providers.ts';
import type { ProviderDefinition } from './drivers/providers/driver.ts';
import { makeGuardedWeb } from './drivers/web/guarded-fetch.ts';
import { makeSlots } from './execution/slots.ts';
import type { PublishGate } from './features/agents/ports.ts';
import { makeFileLookup } from './features/agents/reference-lookups.ts';
import { inboxRoutes } from './features/approvals/handlers.ts';
import { makeApprovalInbox } from './features/approvals/inbox.ts';
import { auditJobs } from './features/audit/jobs.ts';
import { makeAuditWriter } from './features/audit/service.ts';
import { bootstrap, showAdminKey, showClaim } from './features/bootstrap/service.ts';
import { makeCallBudgets } from './features/budgets/service.ts';
import { findGuestAccounts, makeGuestRules } from './features/channels/guests.ts';
import { makeFreshConversations } from './features/conversations/fresh-conversations.ts';
import { withSharedAccess } from './features/conversations/shares/shared-access.ts';
import { makeTranscript } from './features/conversations/transcript.ts';
import { makeAgentTools } from './features/delegation/agent-tools.ts';
import { makeDeployments } from './features/deployments/service.ts';
import { hasBlobKeys } from './features/files/encryption/blob-key-store.ts';
import { makeBlobKeys } from './features/files/encryption/blob-keys.ts';
import { makeConvertBlobsJob } from './features/files/encryption/convert-blobs-job.ts';
import { fileRoutes } from './features/files/handlers.ts';
import { makeFileJobs } from './features/files/jobs.ts';
import { makePreviewService } from './features/files/previews/previews.ts';
import { bytesOfWorkspaces } from './features/files/quota-store.ts';
import { makeQuotas } from './features/files/quotas.ts';
import { makeResumableUploads } from './features/files/resumable/resumable-uploads.ts';
import { uploadRoutes } from './features/files/resumable/upload-handlers.ts';
import { makeFiles } from './features/files/service.ts';
import { hasAnyFile } from './features/files/store.ts';
import { formFieldRoutes } from './features/form-fields/handlers.ts';
import { makeFormFields } from './features/form-fields/service.ts';
import { guardrailWarnings } from './features/guardrails/guardrail-warnings.ts';
import { idempotencyJobs } from './features/idempotency/jobs.ts';
import { makeIdempotency } from './features/idempotency/service.ts';
import { keyringJobs } from './features/keyring/jobs.ts';
import { loadMasterKeys } from './features/keyring/load-master-key.ts';
import { openMasterKeys } from './features/keyring/master-keys.ts';
import { reloadKeysOnChange } from './features/keyring/reload-keys-on-change.ts';
import { makeKeyring, makeTenantKeyring } from './features/keyring/service.ts';
import { makePrincipals } from './features/keys/principals.ts';
import { makeVisibility } from './features/knowledge-bases/rights/visible.ts';
import { addMay } from './features/may/service.ts';
import { storedLogins } from './features/mcp/oauth/find-stored-logins.ts';
import type { ExposedTools } from './features/mcp-server/ports.ts';
import { findAbandonedArchives } from './features/personal-data/service.ts';
import { runRoutes } from './features/runs/run-handlers.ts';
import { findConversationOfRun } from './features/runs/store.ts';
import type { ReferenceCheckers, ReferenceLookups } from './features/settings/ports.ts';
import {
  combineWarnings,
  makeSettingsAuthority,
  makeSettingsTextCache,
  warnOfUnknownModels,
} from './features/settings/service.ts';
import { makeConvertTextJob } from './features/text-encryption/convert-text-job.ts';
import { makeSealingCodec } from './features/text-encryption/sealing-codec.ts';
import { forgetConverted } from './features/text-encryption/text-column-store.ts';
import { loadTextFields } from './features/text-encryption/text-fields.ts';
import type { Tool } from './features/tools/ports.ts';
import { makeAgentTarget } from './features/triggers/deliver/agent-target.ts';
import type { TriggerTarget } from './features/triggers/ports.ts';
import { makeUsageJobs } from './features/usage/jobs.ts';
import { makeLedger } from './features/usage/ledger.ts';
import { makeRunFigures } from './features/usage/run-figures.ts';
import { makeRunAccounts } from './features/usage/service.ts';
import { exposeWorkflowsAsTools } from './features/workflows/callers/mcp-tools.ts';
import type { ExecutableNode } from './features/workflows/nodes/define-node.ts';
import { makeCombinedRuns } from './features/workflows/runs/combined-runs.ts';
import { makeWorkflowTarget } from './features/workflows/runs/start-runs.ts';
import { closeServer } from './http/close-server.ts';
import { type Clock, realClock } from './lib/clock.ts';
import type { Log } from './lib/log.ts';
import type { Route } from './lib/route.ts';
import { enqueue, prepareQueue, startWorker } from './worker/worker.ts';

export interface App {
  server: FastifyInstance;
  routes: readonly Route[];
  /** Prints the first admin key, unless an earlier start has. Called when the program serves requests. */
  showAdminKey(print: (key: string) => Promise<void>): Promise<void>;
  /** Prints the token that makes the first administrator, while there are no people. */
  showClaim(print: (token: string) => Promise<void>): Promise<void>;
  /** Says by /ready that no further requests should come here, and answers those that still do, for so long. */
  drain(seconds: number): Promise<void>;
  close(): Promise<void>;
}

export interface AppOptions {
  /** Tools that agents have besides the built-in ones. */
  tools?: readonly Tool[];
  /** Nodes that workflows have besides the built-in ones. */
  nodes?: readonly ExecutableNode[];
  /** Kinds of model providers besides the built-in ones. */
  providers?: readonly ProviderDefinition[];
  /** What /mcp offers besides agents. */
  mcpOffers?: readonly ExposedTools[];
  /** No other node has this database. */
  alone?: boolean;
  /** The same database without a pooler, when the first connection leads through one. */
  direct?: PoolConfig | undefined;
  /** What triggers start in place of the built-in kinds. */
  triggerTargets?: readonly TriggerTarget[];
  /** By which triggers fire and webhooks are sent. */
  clock?: Clock;
  /** Limits the memory of a backend of the database server, where that server is ours. */
  limitMemory?: LimitMemory | undefined;
}

/** How many jobs run at once, one that listens and one for heartbeats. */
const queueConnections = 6;

/** Puts everything together, in the order in which it needs each other. Nothing else in the program makes a service. */
export async function makeApp(
  config: Config,
  connection: PoolConfig,
  log: Log,
  {
    tools = [],
    nodes = [],
    providers = [],
    mcpOffers = [],
    alone,
    triggerTargets = [],
    clock = realClock,
    limitMemory,
    direct,
  }: AppOptions = {},
): Promise<App> {
  const pooled = direct !== undefined;
  const unpooled = direct ?? connection;
  const db = openDatabase({ connection, max: config.db_pool, log, pooled });
  const readDatabaseReadiness = makeDatabaseReadiness(db.pool);
  const closing: (() => Promise<unknown>)[] = [() => db.close()];
  let isClosing = false;
  const close = async () => {
    if ((await readDatabaseReadiness(2000)) === 'unreachable') for (const own of databases) own.abandon();
    for (const step of closing.splice(0).reverse()) await step();
  };
  const databases = [db];

  try {
    await migrateDatabase(unpooled, log);
    // The queue listens to notifications and names its statements.
    const queueDb = pooled ? openDatabase({ connection: unpooled, max: queueConnections, log }) : db;
    if (pooled) {
      closing.push(() => queueDb.close());
      databases.push(queueDb);
    }
    await prepareQueue(queueDb, log);
    // Keys are loaded inside transactions, which would wait for each other if they shared a pool with them.
    const keyDb = openDatabase({ connection, max: 2, log, pooled });
    closing.push(() => keyDb.close());
    databases.push(keyDb);
    const masters = await openMasterKeys(keyDb, (again) => loadMasterKeys(config, again));
    const home = await bootstrap(db, config.admin_key);
    const audit = makeAuditWriter({ db, log, home_tenant_id: home.tenant_id });
    closing.push(() => audit.close());

    const notifier = await openNotifier(unpooled, log);
    closing.push(() => notifier.close());
    // Runs of this node are then taken over by another one, and callers are told at once.
    notifier.onUnreachable(() => {
      for (const own of databases) own.cut();
    });
    const keyring = makeKeyring(keyDb, masters);
    const keyrings = { workspace: keyring, tenant: makeTenantKeyring(keyDb, masters) };
    reloadKeysOnChange({ notifier, masters, keyrings, log });
    const principals = makePrincipals({ db, notifier, log });
    closing.push(() => principals.close());
    const encrypt = config.encrypt_at_rest;
    const keys = makeBlobKeys({ db: keyDb, keyrings, tenant_id: home.tenant_id });
    const textCodec = makeSealingCodec({ keys, encrypt, findTextFields: await loadTextFields(db) });
    db.useTextCodec(textCodec);
    await forgetConverted(db);
    const rawBlobs = await openBlobs(config, { log, db, hasFiles: () => hasAnyFile(db) });
    const blobs = makeEncryptedBlobs(rawBlobs, { keys, encrypt });
    const quotas = makeQuotas({
      db,
      limits: config.quotas,
      guestOf: (scope) => findGuestAccounts(conversations, scope),
      quotaOf: (workspace_id) => workspaces.fileQuota(workspace_id),
    });
    const visibility = makeVisibility({ db, audience: composeAudience(db) });
    const files = makeFiles({ db, blobs, quotas, max_bytes: config.max_upload_bytes, visible: visibility.forLists });
    const draw = makePreviews();
    const previews = makePreviewService({ db, blobs, files, draw });
    const uploads = makeResumableUploads({ db, blobs, quotas, max_bytes: config.max_upload_bytes });
    const fileJobs = makeFileJobs({
      uploads,
      ...{ db, blobs, quotas },
      findOtherOrphans: (names) => findAbandonedArchives(db, home.tenant_id, names),
    });
    const tracing = composeTraces({ db, config, keyring, log });
    closing.push(() => tracing.close());
    const ledger = makeLedger({ db, log, keepPrompts: tracing.keepPrompts });
    closing.push(() => ledger.close());
    const callBudgets = makeCallBudgets({ db, notifier, log, clock });
    closing.push(() => callBudgets.close());
    const meter = { record: ledger.record, reserve: callBudgets.reserve };
    const models = await composeModels({
      ...{ db, notifier, log, config, tenant_id: home.tenant_id, secrets: keyrings.tenant, meter },
      providers: [...allProviders, ...providers],
    });
    closing.push(() => models.close());
    const tables = await composeTables({ db, connection: unpooled, log, limitMemory });
    closing.push(() => tables.close());
    const { registry } = models;
    const safety = composeSafety({
      ...{ db, config, registry, keyring, defaults: models.defaults },
      piiAllow: (workspace_id) => workspaces.piiAllow(workspace_id),
    });
    const knowledgeBases = composeKnowledgeBases({
      ...{ db, config, files, models, tables: tables.derived, privacy: safety.privacy, visibility, previews },
      known: composeKnownViewers(db),
    });
    closing.push(() => knowledgeBases.close());
    const sandboxing = composeSandboxes({ db, notifier, config });
    closing.push(() => sandboxing.engines.close());
    const onRemove = async (tx: Db, workspace_id: string) => {
      await enqueue(tx, fileJobs.removeWorkspace, { workspace_id });
      await enqueue(tx, sandboxing.jobs.removeWorkspace, { workspace_id });
      await enqueue(tx, tables.jobs.removeWorkspace, { workspace_id });
      await enqueue(tx, knowledgeBases.jobs.removeWorkspace, { workspace_id });
    };
    const { workspaces, ...tenancy } = composeTenancy({
      fileBytes: bytesOfWorkspaces,
      ...{ db, notifier, log, config, keyring, secrets: keyrings.tenant, onRemove },
    });
    closing.push(() => tenancy.sessions.close());
    const events = composeEvents({ db, notifier, log, visibility });
    const notifications = composeNotifications({ db, config, secrets: keyrings.tenant, mailer: tenancy.mailer });
    const idempotency = makeIdempotency({ db, keyring });

    const warnings = combineWarnings(guardrailWarnings(safety.guardrails), warnOfUnknownModels(registry.unknown));

    // The records that settings can refer to. Filled as the features are made; a kind without a feature has no records
    // yet.
    const references: ReferenceCheckers = {};
    const lookups: ReferenceLookups = {};
    const authority = makeSettingsAuthority({
      ...{ references, storedLogins, isEgressEnforced: config.egress_approval === 'enforced' },
      variableNames: async (scope, ids) => (await lookups.variable?.names(scope, ids)) ?? new Map(),
    });
    const settingsText = makeSettingsTextCache();
    const agentParts = composeAgents({
      ...{ db, authority, references, lookups, warnings, settingsText, draw },
      gate: (): PublishGate => evaluating.gate,
    });
    const { agents, versions, agentSettings } = agentParts;
    const deployments = makeDeployments({ db, keyring, agents });
    const fresh = makeFreshConversations();
    const conversing = composeConversations({
      ...{ db, notifier, keyring, agentSettings, authority, warnings, settingsText, fresh, encrypt },
      deployed: deployments.permissionsOf,
      audience: composeWorkspaceAudience(db),
    });
    const { conversations, present, links, exportConversation } = conversing;
    const personalData = composePersonalData({
      ...{ db, notifier, blobs, quotas, keyring, people: tenancy.people, workspaces, exportConversation },
    });
    const web = makeGuardedWeb({ allow: config.web_allow });
    const { mcp_config, public_url } = config;
    const mcp = composeMcpClients({ db, keyring, web, files, mcp_config, public_url, workspaces });
    closing.push(() => mcp.close());
    const variables = composeVariables({
      ...{ db, keyring, web, config, files, agents, conversations },
      workflows: () => workflows.workflows,
    });
    Object.assign(references, {
      agent: agents.exists,
      file: files.exists,
      variable: variables.exists,
      table: tables.exists,
      knowledge_base: knowledgeBases.bases.exists,
      programs: mcp.usablePrograms,
    } satisfies ReferenceCheckers);
    Object.assign(lookups, {
      agent: agentParts.lookup,
      file: makeFileLookup(files),
      variable: variables.lookup,
      table: tables.lookup,
      knowledge_base: knowledgeBases.bases.lookup,
    } satisfies ReferenceLookups);
    const budgets = composeBudgets({ db, notifier, clock, workspaces, agents });
    const insights = composeInsights({
      ...{ db, config, agents, conversations, registry, safety, workspaceNames: workspaces.names },
      defaults: models.defaults,
    });
    const { max_runs, max_runs_per_workspace } = config;
    const slots = makeSlots({ max_runs, max_runs_per_workspace });
    const baseTools = composeBaseTools({
      ...{ db, keyring, config, files, agents, safety, models, web, conversations, sandboxing },
    });
    const described = composeToolSources({ web, files, web_allow: config.web_allow });
    const transcript = makeTranscript({ db, fresh });
    const accounts = makeRunAccounts({ db, transcript });
    const holds = async (workspace_id: string, actor_id: string, permission: Permission) =>
      (await principals.keyHolds(workspace_id, actor_id, permission)) ||
      (await tenancy.sessions.personHolds(workspace_id, actor_id, permission));
    const workflows = composeWorkflows({
      ...{ accounts, db, notifier, log, web, keyring, registry, safety, references, lookups, slots, alone, nodes },
      ...{ files, conversations, knowledgeBases, tables, sandboxing, running: () => running },
      variables: variables.named,
      findVariables: variables.byName,
      keyHolds: holds,
      run_days: config.workflow_run_days,
      requireBudget: (scope) => callBudgets.requireRoom(scope),
      settingsOf: async (scope, id) =>
        effectiveSettings((await agentSettings.forConversation(scope, id, { preview: false })).settings),
      restrictedOf: (scope, agent_id) => agentSettings.restricted(scope, { agent_id }),
      toolSources: () => [tables.toolsFor, knowledgeBases.toolsFor, mcp.toolsFor, ...described],
      conversationToolSources: () => baseTools.toolSources,
    });
    references.workflow = workflows.workflows.exists;
    lookups.workflow = workflows.workflows.lookup;
    const agentTools = makeAgentTools({
      ...{ db, agents, conversations, ask: () => running.ask },
    });
    const toolSources = [
      ...baseTools.toolSources,
      tables.toolsFor,
      knowledgeBases.toolsFor,
      mcp.toolsFor,
      agentTools,
      ...described,
      workflows.toolsFor,
      insights.toolsFor,
    ];
    const evaluating = composeEvaluations({
      ...{ db, agentSettings, registry, safety, workspaces, tools, toolSources },
      ...{ questions: insights.questions, variables: variables.forRun },
    });
    const running: Running = composeRuns({
      db,
      notifier,
      log,
      web,
      slots,
      files,
      agents,
      registry,
      workspaces,
      conversations,
      transcript,
      accounts,
      budgets: callBudgets,
      safety,
      present,
      ledger,
      ended: tracing.ended,
      variables: variables.forRun,
      tools,
      alone,
      approvals: { egress_approval: config.egress_approval, approval_timeout: config.approval_timeout },
      flow: workflows.drive,
      keepOutput: baseTools.keepOutput,
      guests: makeGuestRules({ db, deployments, conversations }),
      toolSources,
    });
    const agentTarget = makeAgentTarget({ agents, versions, conversations, runs: running.runs });
    const workflowTarget = makeWorkflowTarget(workflows);
    const targets = [agentTarget, workflowTarget, ...triggerTargets];
    const triggering = composeTriggers({
      notify: notifications.notify,
      db,
      notifier,
      clock,
      log,
      keyring,
      web,
      references,
      targets,
    });
    const channels = composeChannels({
      ...{ db, keyring, web, deployments, conversations, links, files, running, smtp_allow: config.web_allow },
      chooses: triggering.chooses,
    });
    const workspaceArchives = composeWorkspaceArchives({
      ...{ db, blobs, files, workspaces, holds },
      // Those that others need to be there come first.
      parts: [
        ...[tenancy.roleRecords, variables.records, tables.records, agentParts.records, workflows.records],
        ...[...knowledgeBases.records, ...triggering.records, channels.records, evaluating.records],
      ],
    });

    const routes = addMay(
      withSharedAccess(
        [
          ...conversing.routes,
          ...running.routes,
          ...baseTools.routes,
          ...models.routes,
          ...safety.routes(conversations),
          ...agentParts.routes,
          ...formFieldRoutes(makeFormFields({ findAgent: agents.get })),
          ...fileRoutes(files, previews),
          ...uploadRoutes(uploads, config.max_upload_bytes),
          ...variables.routes,
          ...composeUses({
            ...{ db, agents, conversations, workflows: workflows.workflows, files, variables },
            ...{ bases: knowledgeBases.bases, tables: tables.tables, servers: mcp.servers },
          }),
          ...tables.routes,
          ...sandboxing.routes,
          ...mcp.routes,
          ...knowledgeBases.routes,
          ...workflows.routes,
          ...runRoutes(makeCombinedRuns(running.agentRuns, workflows.runs, workflows.streams, makeRunFigures({ db }))),
          ...inboxRoutes(
            makeApprovalInbox({
              ...{ conversations: running.requests, workflows: workflows.requests },
              unlocks: agentParts.unlockRequests.inbox,
            }),
          ),
          ...triggering.routes,
          ...channels.routes,
          ...insights.routes,
          ...tracing.routes({
            ...{ transcript, safety, registry, runLog: running.runLog, workflowSteps: workflows.stepsOf },
            budgets: callBudgets,
          }),
          ...evaluating.routes,
          ...tenancy.routes,
          ...personalData.routes,
          ...workspaceArchives.routes,
          ...budgets.routes,
          ...composeSearch({
            ...{ db, encrypt, agents, conversations, visibility },
            ...{ tables: tables.tables, workflows: workflows.workflows },
          }),
          ...composeSystem({ db, config, registry, engines: sandboxing.engines }),
          ...events.routes,
          ...notifications.routes,
        ],
        {
          shares: conversing.shares,
          conversationOfRun: (workspace_id, run_id) => findConversationOfRun(db, workspace_id, run_id),
        },
      ),
      itemRules,
    );
    const jobs = [
      ...idempotencyJobs(db),
      ...Object.values(fileJobs),
      makeConvertBlobsJob({ db, blobs, encrypt }),
      makeConvertTextJob({ db, codec: textCodec, encrypt, wasEncrypted: () => hasBlobKeys(db) }),
      ...Object.values(tables.jobs),
      ...Object.values(sandboxing.jobs),
      ...Object.values(knowledgeBases.jobs),
      ...Object.values(workflows.jobs),
      ...triggering.jobs,
      ...Object.values(channels.jobs),
      ...Object.values(insights.jobs),
      ...tracing.jobs,
      ...baseTools.jobs,
      ...Object.values(makeUsageJobs({ db })),
      ...evaluating.jobs,
      ...keyringJobs({ db, masters, keyrings, columns: sealedColumns }),
      ...tenancy.jobs,
      ...personalData.jobs,
      ...workspaceArchives.jobs,
      ...budgets.jobs,
      ...events.jobs,
      ...notifications.jobs,
      ...auditJobs({ db, days: config.audit_days, onCommit: audit.wake }),
    ];

    if (config.roles.includes('worker')) {
      const worker = await startWorker(queueDb, jobs, log, { alone });
      closing.push(() => worker.stop());
      closing.push(triggering.start());
    }

    const mcpServer = composeMcpServer({
      ...{ db, notifier, agents, ask: running.ask, files, requests: running.runRequests },
      more: [exposeWorkflowsAsTools(workflows), ...mcpOffers],
    });
    const server = composeHttpServer({
      ...{
        db,
        readDatabaseReadiness,
        isClosing: () => isClosing,
        runs: slots,
        notifier,
        log,
        config,
        routes,
        principals,
        sessions: tenancy.sessions,
        scim: tenancy.scim,
        links,
        idempotency,
        audit,
        sandboxing,
      },
      ...{ mcp: mcpServer, chatPages: channels.chatPages },
    });
    // A client that follows a run keeps its connection open until the run ends: both are closed together.
    closing.push(() => {
      events.close();
      return Promise.all([running.executor.close(), workflows.executor.close(), closeServer(server)]);
    });
    return {
      ...{ server, routes, close },
      async drain(seconds) {
        isClosing = true;
        server.server.prependListener('request', (_, response) => response.setHeader('connection', 'close'));
        await sleep(seconds * 1000);
      },
      showAdminKey: (print) => showAdminKey(db, print),
      showClaim: (print) => showClaim(db, print),
    };
  } catch (error) {
    await close();
    throw error;
  }
}
