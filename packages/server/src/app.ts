import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Permission } from '@atrium/contract/permissions.ts';
import { effectiveSettings } from '@atrium/contract/settings/settings.ts';
import type { PoolConfig } from 'pg';
import { composeAgents } from './app/agents.ts';
import { composeAudience, composeKnownViewers, composeWorkspaceAudience } from './app/audience.ts';
import { composeBudgets } from './app/budgets.ts';
import { composeChannels } from './app/channels.ts';
import { composeConversations } from './app/conversations.ts';
import { composeEvaluations } from './app/evaluations.ts';
import { composeFiles } from './app/files/compose-files.ts';
import { composeStorage } from './app/files/compose-storage.ts';
import type { App, AppOptions } from './app/foundation/app-options.ts';
import { openDatabases } from './app/foundation/open-databases.ts';
import { jobsAtOnce, openFoundation } from './app/foundation/open-foundation.ts';
import { composeHttpServer } from './app/http-server.ts';
import { openIndex } from './app/indexes.ts';
import { composeInsights } from './app/insights.ts';
import { composeKnowledgeBases } from './app/knowledge-bases.ts';
import { listJobs } from './app/lists/all-jobs.ts';
import { listRoutes } from './app/lists/all-routes.ts';
import type { Parts } from './app/lists/parts.ts';
import { addReferences } from './app/lists/references.ts';
import { composeEvents } from './app/live/events.ts';
import { composeNotifications } from './app/live/notifications.ts';
import { composeModels } from './app/models.ts';
import { composePersonalData, composeWorkspaceArchives } from './app/personal-data.ts';
import { composeRuns, type Running } from './app/runs.ts';
import { composeSafety } from './app/safety.ts';
import { composeTables } from './app/tables.ts';
import { composeTenancy } from './app/tenancy.ts';
import { composeBaseTools } from './app/tools/base-tools.ts';
import { composeMcpClients, composeMcpServer } from './app/tools/mcp.ts';
import { composeReach } from './app/tools/reach.ts';
import { composeSandboxes } from './app/tools/sandboxes.ts';
import { composeActionTrials, composeToolSources } from './app/tools/tool-sources.ts';
import { composeTraces } from './app/traces.ts';
import { composeVariables } from './app/variables.ts';
import { composeTriggers } from './app/workflows/triggers.ts';
import { composeWorkflows } from './app/workflows/workflows.ts';
import type { Config } from './config.ts';
import type { Db } from './db/database.ts';
import { makeExtract } from './drivers/extractors/extract.ts';
import { allProviders } from './drivers/providers/all-providers.ts';
import { makeAddressKind } from './drivers/web/address-kind.ts';
import { makeAllowList } from './drivers/web/allow-list.ts';
import { makeGuardedWeb } from './drivers/web/guarded-fetch.ts';
import { makeSlots } from './execution/slots.ts';
import type { PublishGate } from './features/agents/ports.ts';
import { showAdminKey, showClaim } from './features/bootstrap/service.ts';
import { makeCallBudgets } from './features/budgets/service.ts';
import { findGuestAccounts, makeGuestRules } from './features/channels/guests.ts';
import { makeFreshConversations } from './features/conversations/create/fresh-conversations.ts';
import { makeTranscript } from './features/conversations/transcript.ts';
import { makeAgentTools } from './features/delegation/agent-tools.ts';
import { makeDeployments } from './features/deployments/service.ts';
import { bytesOfWorkspaces } from './features/files/quota-store.ts';
import { guardrailWarnings } from './features/guardrails/guardrail-warnings.ts';
import { makeIdempotency } from './features/idempotency/service.ts';
import { makeVisibility } from './features/knowledge-bases/rights/visible.ts';
import { storedLogins } from './features/mcp/oauth/find-stored-logins.ts';
import { makeFindHiddenRuns } from './features/ownership/service.ts';
import type { ReferenceCheckers, ReferenceLookups } from './features/settings/ports.ts';
import {
  combineWarnings,
  makeSettingsAuthority,
  makeSettingsTextCache,
  warnOfUnknownModels,
} from './features/settings/service.ts';
import { countStoredText } from './features/storage/count-stored-text.ts';
import { makeAgentTarget } from './features/triggers/deliver/agent-target.ts';
import { makeTypedAddresses } from './features/typed-addresses/service.ts';
import { makeLedger } from './features/usage/ledger.ts';
import { makeRunAccounts } from './features/usage/service.ts';
import { exposeWorkflowsAsTools } from './features/workflows/callers/mcp-tools.ts';
import { makeWorkflowTarget } from './features/workflows/runs/start-runs.ts';
import { closeServer } from './http/close-server.ts';
import { realClock } from './lib/clock.ts';
import { makeCounters } from './lib/counters/make-counters.ts';
import type { Log } from './lib/log.ts';
import { enqueue, startWorker } from './worker/worker.ts';

export type { App, AppOptions } from './app/foundation/app-options.ts';

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
    extract = makeExtract(),
    triggerTargets = [],
    clock = realClock,
    limitMemory,
    direct,
    processes = 1,
    counters = makeCounters(),
    metrics,
    locks,
  }: AppOptions = {},
): Promise<App> {
  const share = (most: number) => Math.max(1, Math.floor(most / processes));
  const databases = openDatabases({ connection, direct, db_pool: config.db_pool, log });
  let isClosing = false;
  try {
    const foundation = await openFoundation({ config, databases, log });
    const { db, unpooled, closing, home, audit, notifier, keyring, keyrings, principals, encrypt, blobs } = foundation;
    const visibility = makeVisibility({ db, audience: composeAudience(db) });
    const findHiddenRuns = makeFindHiddenRuns({ db, visible: visibility.forLists });
    const storing = composeStorage({
      ...{ db, log, config },
      ownQuota: (workspace_id) => workspaces.fileQuota(workspace_id),
    });
    const { storage } = storing;
    closing.push(() => storage.close());
    db.useTextCodec(countStoredText(foundation.textCodec, storage.add));
    const filing = composeFiles({
      ...{ db, config, blobs, visibility, extract, tenant_id: home.tenant_id },
      guestOf: (scope) => findGuestAccounts(conversations, scope),
      roomOf: storage.roomForFiles,
    });
    const { files, referredFiles, texts, previews, quotas, draw } = filing;
    const tracing = composeTraces({ db, config, keyring, log, countBytes: storage.add });
    closing.push(() => tracing.close());
    const ledger = makeLedger({ db, log, keepPrompts: tracing.keepPrompts });
    closing.push(() => ledger.close());
    const callBudgets = makeCallBudgets({ db, notifier, log, clock });
    closing.push(() => callBudgets.close());
    const meter = { record: ledger.record, reserve: callBudgets.reserve };
    const models = await composeModels({
      ...{ db, notifier, log, config, tenant_id: home.tenant_id, secrets: keyrings.tenant, meter },
      providers: [...allProviders, ...providers],
      workspacesOf: async (tenant_id) => [...(await workspaces.names(tenant_id)).keys()],
    });
    closing.push(() => models.close());
    const tables = await composeTables({ db, connection: unpooled, log, limitMemory, share, storage });
    closing.push(() => tables.close());
    const { registry } = models;
    const safety = composeSafety({
      ...{ db, config, registry, keyring, defaults: models.defaults },
      piiAllow: (workspace_id) => workspaces.piiAllow(workspace_id),
    });
    const index = await openIndex(config, { log, db, alone: alone === true });
    const typedAddresses = makeTypedAddresses(makeAddressKind(makeAllowList(config.web_allow)));
    const knowledgeBases = composeKnowledgeBases({
      ...{ db, config, index, files, referredFiles, models, tables: tables.derived, privacy: safety.privacy },
      ...{ visibility, previews, typedAddresses },
      known: composeKnownViewers(db),
    });
    closing.push(() => knowledgeBases.close());
    const sandboxing = composeSandboxes({
      ...{ db, notifier, config, blobs, log, locks },
      commands_at_once: share(config.sandboxes.concurrency || availableParallelism() * 2),
    });
    closing.push(() => sandboxing.engines.close());
    const onRemove = async (tx: Db, workspace_id: string) => {
      await enqueue(tx, filing.jobs.removeWorkspace, { workspace_id });
      await enqueue(tx, sandboxing.jobs.removeWorkspace, { workspace_id });
      await enqueue(tx, tables.jobs.removeWorkspace, { workspace_id });
      await enqueue(tx, knowledgeBases.jobs.removeWorkspace, { workspace_id });
    };
    const { workspaces, ...tenancy } = composeTenancy({
      fileBytes: bytesOfWorkspaces,
      ...{ db, notifier, log, config, keyring, secrets: keyrings.tenant, onRemove, counters },
    });
    closing.push(() => tenancy.sessions.close());
    const events = composeEvents({ db, notifier, log, visibility });
    const notifications = composeNotifications({ db, config, secrets: keyrings.tenant, mailer: tenancy.mailer });
    const idempotency = makeIdempotency({ db, keyring });

    const warnOfModels = warnOfUnknownModels(registry.unknown);
    const warnings = combineWarnings(guardrailWarnings(safety.guardrails), warnOfModels);

    // The records that settings can refer to. Filled as the features are made; a kind without a feature has no records
    // yet.
    const references: ReferenceCheckers = { refusalOf: typedAddresses.refusalOf };
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
    const deployments = makeDeployments({ db, keyring, agents, typedAddresses });
    const fresh = makeFreshConversations();
    const audience = composeWorkspaceAudience(db);
    const conversing = composeConversations({
      findHiddenRuns,
      ...{ db, notifier, keyring, agentSettings, authority, warnings, settingsText, fresh, encrypt },
      deployed: deployments.permissionsOf,
      audience,
      requireStorage: (workspace_id) => storage.requireRoom(workspace_id, 0),
    });
    const { conversations, present, links, exportConversation } = conversing;
    const personalData = composePersonalData({
      ...{ db, notifier, blobs, quotas, keyring, people: tenancy.people, workspaces, exportConversation },
    });
    const web = makeGuardedWeb({ allow: config.web_allow });
    const { mcp_config, public_url } = config;
    const mcp = composeMcpClients({
      ...{ db, keyring, web, files, mcp_config, public_url, workspaces, typedAddresses },
    });
    closing.push(() => mcp.close());
    const variables = composeVariables({
      ...{ db, keyring, web, config, files, agents, conversations, typedAddresses },
      workflows: () => workflows.workflows,
    });
    addReferences(references, lookups, { audience, agentParts, files, knowledgeBases, mcp, tables, variables });
    const budgets = composeBudgets({ db, notifier, clock, workspaces, agents });
    const insights = composeInsights({
      ...{ db, config, agents, conversations, registry, safety, workspaceNames: workspaces.names, counters },
      defaults: models.defaults,
    });
    const { max_runs, max_runs_per_workspace } = config;
    const slots = makeSlots({ max_runs, max_runs_per_workspace });
    const baseTools = composeBaseTools({
      ...{ db, keyring, config, files: referredFiles, texts, agents, safety, models, web, conversations, sandboxing },
    });
    const described = composeToolSources({ web, files: referredFiles, web_allow: config.web_allow });
    const trials = composeActionTrials({ agents, web, counters, variables: variables.resolve });
    const transcript = makeTranscript({ db, fresh });
    const accounts = makeRunAccounts({ db, transcript });
    const holds = async (workspace_id: string, actor_id: string, permission: Permission) =>
      (await principals.keyHolds(workspace_id, actor_id, permission)) ||
      (await tenancy.sessions.personHolds(workspace_id, actor_id, permission));
    const findReach = composeReach({ agents, variables: variables.reached, workflows: () => workflows });
    const workflows: ReturnType<typeof composeWorkflows> = composeWorkflows({
      findReach,
      findHiddenRuns,
      ...{ accounts, db, notifier, log, web, keyring, registry, safety, references, lookups, slots, alone, nodes },
      ...{ files, conversations, knowledgeBases, tables, sandboxing, running: () => running },
      variables: variables.named,
      findVariables: variables.byName,
      warnOfModels,
      keyHolds: holds,
      run_days: config.workflow_run_days,
      async requireBudget(scope) {
        await callBudgets.requireRoom(scope);
        await storage.requireRoom(scope.workspace_id, 0);
      },
      settingsOf: async (scope, id) =>
        effectiveSettings((await agentSettings.forConversation(scope, id, { preview: false })).settings),
      restrictedOf: (scope, agent_id) => agentSettings.restricted(scope, { agent_id }),
      toolSources: () => [tables.toolsFor, knowledgeBases.toolsFor, mcp.toolsFor, ...described],
      conversationToolSources: () => baseTools.toolSources,
    });
    references.workflow = workflows.workflows.exists;
    lookups.workflow = workflows.workflows.lookup;
    const agentTools = makeAgentTools({
      ...{ db, agents, conversations, findReach, ask: () => running.ask },
    });
    const toolSources = [
      ...[...baseTools.toolSources, tables.toolsFor, knowledgeBases.toolsFor, mcp.toolsFor, agentTools],
      ...[...described, workflows.toolsFor, insights.toolsFor],
    ];
    const evaluating = composeEvaluations({
      ...{ db, agentSettings, registry, safety, workspaces, tools, toolSources },
      ...{ questions: insights.questions, variables: variables.forRun },
    });
    const running: Running = composeRuns({
      ...{
        db,
        notifier,
        log,
        web,
        slots,
        files,
        referredFiles,
        texts,
        agents,
        registry,
        workspaces,
        conversations,
        transcript,
        accounts,
        findHiddenRuns,
      },
      ...{ safety, present, ledger, tools, toolSources, alone, budgets: callBudgets, storage },
      ended: tracing.ended,
      variables: variables.forRun,
      approvals: { egress_approval: config.egress_approval, approval_timeout: config.approval_timeout },
      flow: workflows.drive,
      keepOutput: baseTools.keepOutput,
      guests: makeGuestRules({ db, deployments, conversations }),
    });
    const agentTarget = makeAgentTarget({ agents, versions, conversations, runs: running.runs });
    const workflowTarget = makeWorkflowTarget(workflows);
    const targets = [agentTarget, workflowTarget, ...triggerTargets];
    const triggering = composeTriggers({
      ...{ db, notifier, clock, log, keyring, web, references, targets, typedAddresses, notify: notifications.notify },
    });
    const channels = composeChannels({
      ...{
        db,
        keyring,
        web,
        deployments,
        conversations,
        links,
        files: referredFiles,
        running,
        smtp_allow: config.web_allow,
      },
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

    const parts: Parts = {
      ...{
        foundation,
        visibility,
        findHiddenRuns,
        filing,
        tracing,
        callBudgets,
        models,
        tables,
        safety,
        knowledgeBases,
        sandboxing,
      },
      ...{
        tenancy,
        events,
        notifications,
        agentParts,
        conversing,
        personalData,
        mcp,
        variables,
        trials,
        budgets,
        insights,
      },
      ...{ baseTools, transcript, workflows, evaluating, running, triggering, channels, workspaceArchives },
      storage: { jobs: storing.jobs, routes: storing.routes(workspaces.reach) },
      machine: metrics,
    };
    const routes = listRoutes(parts, config, log);
    // The queue waits for the database while the routes are added.
    const worker = config.roles.includes('worker')
      ? startWorker(foundation.queueDb, listJobs(parts, config), log, { alone, at_once: share(jobsAtOnce) })
      : undefined;
    closing.push(async () => (await worker?.catch(() => undefined))?.stop());
    worker?.catch(() => {});

    const mcpServer = composeMcpServer({
      ...{ db, notifier, agents, ask: running.ask, files: referredFiles, requests: running.runRequests },
      more: [exposeWorkflowsAsTools(workflows), ...mcpOffers],
    });
    const server = composeHttpServer({
      ...{ db, notifier, log, config, routes, principals, links, idempotency, audit, sandboxing, counters },
      ...{ runs: slots, sessions: tenancy.sessions, scim: tenancy.scim, machine: metrics },
      ...{ mcp: mcpServer, chatPages: channels.chatPages },
      readDatabaseReadiness: databases.readDatabaseReadiness,
      isClosing: () => isClosing,
    });
    if (await worker) closing.push(triggering.start());
    // A client that follows a run keeps its connection open until the run ends: both are closed together.
    closing.push(() => {
      events.close();
      const endTerminals = sandboxing.close();
      return Promise.all([endTerminals, running.executor.close(), workflows.executor.close(), closeServer(server)]);
    });
    return {
      ...{ server, routes, close: databases.close, node_ids: [running.executor.node_id, workflows.executor.node_id] },
      async drain(seconds) {
        isClosing = true;
        server.server.prependListener('request', (_, response) => response.setHeader('connection', 'close'));
        await sleep(seconds * 1000);
      },
      showAdminKey: (print) => showAdminKey(db, print),
      showClaim: (print) => showClaim(db, print),
    };
  } catch (error) {
    await databases.close();
    throw error;
  }
}
