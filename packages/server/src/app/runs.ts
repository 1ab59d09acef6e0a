import type { Database } from '../db/database.ts';
import type { Notifier } from '../db/notifier.ts';
import type { Web } from '../drivers/web/driver.ts';
import { makeExecutor } from '../execution/executor.ts';
import type { Slots } from '../execution/slots.ts';
import { makeAgentLookup } from '../features/agents/reference-lookups.ts';
import type { Agents } from '../features/agents/service.ts';
import { limitToVersionAuthor } from '../features/agents/versions/limit-to-version-author.ts';
import { makeConversationRequests } from '../features/approvals/conversation-requests.ts';
import { approvalRoutes } from '../features/approvals/handlers.ts';
import { makeRunRequests } from '../features/approvals/run-requests.ts';
import { makeApprovals } from '../features/approvals/service.ts';
import { makeAttachments } from '../features/attachments/service.ts';
import type { CallBudgets } from '../features/budgets/service.ts';
import { makeAgentModels } from '../features/completions/agent-models.ts';
import { completionRoutes } from '../features/completions/handlers.ts';
import { makeCompletions } from '../features/completions/service.ts';
import type {
  ConversationPresenter,
  LoadedConversation,
  MessageRow,
  Transcript,
} from '../features/conversations/ports.ts';
import { type Conversations, dropHiddenAnswers } from '../features/conversations/service.ts';
import { makeAgentCaller } from '../features/delegation/service.ts';
import type { FileTexts } from '../features/files/ports.ts';
import type { Files } from '../features/files/service.ts';
import { recordViolations } from '../features/guardrails/violations-store.ts';
import type { Registry } from '../features/models/service.ts';
import type { FindHiddenRuns } from '../features/ownership/service.ts';
import { makeRunStreams } from '../features/runs/dialects/run-streams.ts';
import { makeHandover } from '../features/runs/end/handover.ts';
import { makeConversationNamer } from '../features/runs/end/name-conversation.ts';
import { type ExecuteDeps, makeAgentRunExecution, makeRunFinisher } from '../features/runs/execute-run.ts';
import { makeViolationRecorder } from '../features/runs/guardrails/record-run-violations.ts';
import { makeRunGuardrails } from '../features/runs/guardrails/run-guardrails.ts';
import { messageRoutes } from '../features/runs/handlers.ts';
import { combineAlongside, makeRunLog } from '../features/runs/log/run-log.ts';
import { type AgentRunDeps, makeAgentRun } from '../features/runs/loop/agent-run.ts';
import { makeModelCheck } from '../features/runs/models/model-check.ts';
import { makeVisionCheck } from '../features/runs/models/vision-check.ts';
import type { FlowDriver } from '../features/runs/ports.ts';
import { type Guests, publicRoutes } from '../features/runs/public-handlers.ts';
import { makeRuns } from '../features/runs/service.ts';
import { makeTurns } from '../features/runs/start/turns.ts';
import { type RunRow, runQueue } from '../features/runs/store.ts';
import { makeConversationSummarizer } from '../features/runs/summary/summarize-conversation.ts';
import { summaryRoutes } from '../features/runs/summary/summary-handlers.ts';
import { makeOutputSaver } from '../features/runs/tools/save-output.ts';
import { toolCallRoutes } from '../features/runs/tools/tool-call-handlers.ts';
import { makeToolCalls, recordToolCalls } from '../features/runs/tools/tool-calls.ts';
import type { StorageRoom } from '../features/storage/ports.ts';
import { clock } from '../features/tools/clock-tool.ts';
import { humanTools } from '../features/tools/human-tool.ts';
import type { Tool, ToolProvider } from '../features/tools/ports.ts';
import type { Ledger } from '../features/usage/ledger.ts';
import type { RunAccounts } from '../features/usage/ports.ts';
import { makeRunFact, personFactStatement } from '../features/usage/run-fact-store.ts';
import type { VariableResolver } from '../features/variables/ports.ts';
import type { Workspaces } from '../features/workspaces/service.ts';
import { newId } from '../lib/ids.ts';
import type { Log } from '../lib/log.ts';
import type { Scope } from '../lib/scope.ts';
import type { Safety } from './safety.ts';

export interface ComposeRunsOptions {
  db: Database;
  notifier: Notifier;
  log: Log;
  web: Web;
  /** Shared with the workflow runs. */
  slots: Slots;
  files: Files;
  /** Those that messages name. */
  referredFiles: Files;
  texts: FileTexts;
  agents: Agents;
  registry: Registry;
  workspaces: Workspaces;
  conversations: Conversations;
  transcript: Transcript;
  accounts: RunAccounts;
  findHiddenRuns: FindHiddenRuns;
  safety: Safety;
  budgets: Pick<CallBudgets, 'requireRoom'>;
  storage: Pick<StorageRoom, 'requireRoom'>;
  present: ConversationPresenter;
  ledger: Ledger;
  /** Called for each run that this node has ended. */
  ended?: ((workspace_id: string, run_id: string) => void) | undefined;
  variables: VariableResolver;
  approvals: AgentRunDeps['approvals'];
  /** The permissions of guests with a link to a conversation. */
  guests: Guests;
  /** Where long results stay; among the files of the workspace by default. */
  keepOutput?: AgentRunDeps['keep'];
  /** No other node has this database. */
  alone?: boolean | undefined;
  /** Besides the built-in ones. */
  tools?: readonly Tool[];
  /** Tools that an agent has by what its settings name. */
  toolSources?: readonly ToolProvider[];
  /** Answers when settings have a flow drive the conversation. */
  flow?: FlowDriver;
}

export type Running = ReturnType<typeof composeRuns>;

/** Composes agent runs: the log, the executor that writes it, and the endpoints that start and follow runs. */
export function composeRuns(options: ComposeRunsOptions) {
  const {
    db,
    notifier,
    log,
    web,
    files,
    referredFiles,
    texts,
    agents,
    registry,
    workspaces,
    conversations,
    present,
    variables,
  } = options;
  const { privacy, guardrails } = options.safety;
  const { transcript } = options;
  const attachments = makeAttachments({ files, referredFiles, web, texts });
  const node_id = newId();
  const runLog = makeRunLog({ db, notifier, node_id, transcript, alone: options.alone, along: options.ledger.along });
  const { accounts } = options;
  const runGuardrails = makeRunGuardrails({ guardrails });
  const requests = makeRunRequests({ db });
  const agentLookup = makeAgentLookup({ db });
  const events = makeAgentRun({
    db,
    agentName: async (scope, id) => (await agentLookup.names(scope, [id])).get(id),
    requests,
    transcript,
    registry,
    attachments,
    workspaces,
    privacy,
    guardrails: runGuardrails,
    accounts,
    tools: [clock, ...(options.tools ?? [])],
    variables,
    toolSources: [humanTools, ...(options.toolSources ?? [])],
    flow: options.flow,
    approvals: options.approvals,
    vouched: limitToVersionAuthor(db),
    keep: options.keepOutput ?? makeOutputSaver({ files }),
  });
  const violations = makeViolationRecorder({
    transcript,
    record: (tx, found) => recordViolations(tx, found, transcript.countViolation),
  });
  const alongside: ExecuteDeps['alongside'] = (run, told, seen) =>
    combineAlongside(
      combineAlongside(violations(run, told), recordToolCalls(run, told, seen)),
      requests.record(run, told, seen),
    );
  const { finish, pause } = makeRunFinisher({
    ...{ log: runLog, transcript, requests, alongside },
    fact: (run, reply, status) => makeRunFact(run, reply, status, options.ledger.firstWord(run)),
  });
  const handover = makeHandover({ transcript, requests, log: runLog, fact: personFactStatement });
  const aside = { db, transcript, registry, privacy, variables, guardrails: runGuardrails, accounts };
  const readable = (scope: Scope, row: LoadedConversation['row'], rows: readonly MessageRow[]) =>
    dropHiddenAnswers(scope, row, rows, options.findHiddenRuns);
  const name = makeConversationNamer(aside);
  const executor = makeExecutor<RunRow, LoadedConversation>({
    db,
    notifier,
    log,
    topic: 'run',
    queue: runQueue,
    runLog,
    node_id,
    alone: options.alone,
    slots: options.slots,
    begin: (run) => runs.beginWaiting(run),
    expire: () => approvals.expire(),
    execute: makeAgentRunExecution({ log: runLog, events, alongside, finish, pause, name, ended: options.ended }),
  });
  const approvals = makeApprovals({
    ...{ db, log, transcript, conversations, handover },
    runs: { resume: executor.resume, requestStop: runQueue.requestStop },
  });
  const runs = makeRuns({
    db,
    transcript,
    attachments,
    executor,
    approvals,
    log: runLog,
    sees: makeVisionCheck(registry),
    requireModels: makeModelCheck(registry),
    requireBudget: (scope, id) =>
      options.budgets.requireRoom(scope, async () => (await transcript.read(scope, id)).row.assistant_id),
    requireStorage: ({ workspace_id }, bytes) => options.storage.requireRoom(workspace_id, bytes),
  });
  const streams = makeRunStreams({ log: runLog, runs, transcript });
  const turns = makeTurns({ db, runs, streams, conversations, transcript, approvals });
  const agentModels = makeAgentModels({ agents, named: agentLookup });
  const completions = makeCompletions({
    ...{ models: agentModels, conversations, attachments, runs, log: runLog },
    settingsOf: async (scope, id) => (await transcript.read(scope, id)).settings,
  });
  const routes = [
    ...messageRoutes(turns, present),
    ...summaryRoutes(makeConversationSummarizer({ ...aside, readable })),
    ...publicRoutes(turns, options.guests),
    ...approvalRoutes(approvals),
    ...toolCallRoutes(makeToolCalls({ db }), runs),
    ...completionRoutes(completions, agentModels),
  ];
  /** The agent runs, for the endpoints that both kinds of runs share. */
  const agentRuns = {
    newest: runs.newest,
    get: runs.get,
    stop: runs.stopRun,
    retry: turns.retry,
    events: turns.runEvents,
  };
  const ask = makeAgentCaller({ db, conversations, transcript, runs, log: runLog });
  return {
    executor,
    agentRuns,
    routes,
    ask,
    runs,
    runLog,
    transcript,
    requests: makeConversationRequests({ db, transcript }),
    runRequests: requests,
  };
}
