import type { Bell } from '../db/bell.ts';
import type { Database } from '../db/database.ts';
import { makeExtract } from '../drivers/extractors/extract.ts';
import type { Web } from '../drivers/web/driver.ts';
import { makeAgentLookup } from '../features/agents/lookups.ts';
import type { Agents } from '../features/agents/service.ts';
import { makeVouched } from '../features/agents/vouched.ts';
import { makeAttachments } from '../features/attachments/service.ts';
import { makeAgentModels } from '../features/completions/agent-models.ts';
import { completionRoutes } from '../features/completions/routes.ts';
import { makeCompletions } from '../features/completions/service.ts';
import type { ConversationPresenter } from '../features/conversations/present.ts';
import type { Conversations } from '../features/conversations/service.ts';
import type { Held, Transcript } from '../features/conversations/transcript.ts';
import { makeAsk } from '../features/delegation/ask.ts';
import type { Files } from '../features/files/service.ts';
import type { Registry } from '../features/models/registry.ts';
import { type AgentRunDeps, makeAgentRun } from '../features/runs/agent-run.ts';
import { approvalRoutes } from '../features/runs/approval-routes.ts';
import { makeAsked } from '../features/runs/asked.ts';
import type { FlowDriver } from '../features/runs/driven.ts';
import { type ExecuteDeps, executeRun } from '../features/runs/execute.ts';
import { makeExecutor } from '../features/runs/executor.ts';
import { makeFinish } from '../features/runs/finish.ts';
import { makeRunGuardrails } from '../features/runs/guardrails-for-run.ts';
import { makeHandover } from '../features/runs/handover.ts';
import { makeKeepOutput } from '../features/runs/keep-output.ts';
import { makeRunLog, together } from '../features/runs/log.ts';
import { makeNaming } from '../features/runs/naming.ts';
import type { ToolSource } from '../features/runs/offered-tools.ts';
import { makePeople } from '../features/runs/people.ts';
import { type Guests, publicRoutes } from '../features/runs/public-routes.ts';
import { messageRoutes } from '../features/runs/routes.ts';
import type { RunAccounts } from '../features/runs/run-accounts.ts';
import { makeRuns } from '../features/runs/service.ts';
import { makeSlots, type SlotLimits } from '../features/runs/slots.ts';
import { runQueue } from '../features/runs/store.ts';
import { makeRunStreams } from '../features/runs/streams.ts';
import { placeholderTitle } from '../features/runs/titles.ts';
import { makeToolCalls, toolAccount } from '../features/runs/tool-account.ts';
import { toolCallRoutes } from '../features/runs/tool-call-routes.ts';
import { makeTurns } from '../features/runs/turns.ts';
import { makeViolationCount } from '../features/runs/violations.ts';
import { recordViolations } from '../features/safety/guardrails/violations-store.ts';
import type { Settings } from '../features/settings/settings.ts';
import { clock } from '../features/tools/clock.ts';
import { humanTools } from '../features/tools/human.ts';
import type { Ledger } from '../features/usage/ledger.ts';
import { factAlong, personFact } from '../features/usage/run-fact.ts';
import type { VariableResolver } from '../features/variables/resolve.ts';
import type { Workspaces } from '../features/workspaces/service.ts';
import { newId } from '../lib/ids.ts';
import { errorFields, type Log } from '../lib/log.ts';
import type { Scope } from '../lib/scope.ts';
import type { Tool } from '../lib/tool.ts';
import type { Safety } from './safety.ts';

export interface RunningOptions {
  db: Database;
  bell: Bell;
  log: Log;
  web: Web;
  limits: SlotLimits;
  files: Files;
  agents: Agents;
  registry: Registry;
  workspaces: Workspaces;
  conversations: Conversations;
  transcript: Transcript;
  accounts: RunAccounts;
  safety: Safety;
  present: ConversationPresenter;
  ledger: Ledger;
  /** Told of each run that is over here. */
  ended?: ((workspace_id: string, run_id: string) => void) | undefined;
  variables: VariableResolver;
  approvals: AgentRunDeps['approvals'];
  /** What whoever holds a link to a conversation may do in it. */
  guests: Guests;
  /** Where long results stay; among the files of the workspace by default. */
  keepOutput?: AgentRunDeps['keep'];
  /** No other node has this database. */
  alone?: boolean | undefined;
  /** Besides the built-in ones. */
  tools?: readonly Tool[];
  /** Tools that an agent has by what its settings name. */
  toolSources?: readonly ToolSource[];
  /** Answers when settings have a flow drive the conversation. */
  flow?: FlowDriver;
}

export type Running = ReturnType<typeof makeRunning>;

/** How messages are answered: the log, what writes it, and the doors through which it is watched. */
export function makeRunning(options: RunningOptions) {
  const { db, bell, log, web, files, agents, registry, workspaces, conversations, present, variables } = options;
  const { privacy, guardrails } = options.safety;
  const { transcript } = options;
  const attachments = makeAttachments({ files, web, extract: makeExtract() });
  const node_id = newId();
  const runLog = makeRunLog({ db, bell, node_id, along: options.ledger.along });
  const { accounts } = options;
  const runGuardrails = makeRunGuardrails({ guardrails });
  const events = makeAgentRun({
    db,
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
    vouched: makeVouched(db),
    keep: options.keepOutput ?? makeKeepOutput({ files }),
  });
  const violations = makeViolationCount({ transcript, record: recordViolations });
  const alongside: ExecuteDeps['alongside'] = (run, told, seen) =>
    together(violations(run, told), toolAccount(run, told, seen));
  const { finish, pause } = makeFinish({
    ...{ log: runLog, transcript, alongside },
    fact: (run, reply, status) => factAlong(run, reply, status, options.ledger.firstWord(run)),
  });
  const handover = makeHandover({ transcript, log: runLog, fact: personFact });
  const name = makeNaming({ db, transcript, registry, privacy, variables, guardrails: runGuardrails, accounts });
  const executor = makeExecutor({
    db,
    bell,
    log,
    topic: 'run',
    queue: runQueue,
    runLog,
    node_id,
    alone: options.alone,
    slots: makeSlots(options.limits),
    begin: (run) => runs.beginWaiting(run),
    expire: () => people.expire(),
    async execute(scope, run, signal, held?: Held) {
      const reply = await executeRun({ log: runLog, events, alongside, finish, pause }, scope, run, signal, held);
      // It waits for people; its name is given when it is over.
      if (!reply?.metadata) return;
      options.ended?.(run.group_id, run.id);
      // One that had a name of its own needs none.
      if (held && held.row.name !== null && held.row.name !== placeholderTitle()) return;
      // The answer is there; its name may come a moment later and is not worth a failure.
      await name(scope, run, reply).catch((error) => log.warn('A conversation got no name', errorFields(error)));
    },
  });
  const sees = async (scope: Scope, settings: Settings) =>
    (await registry.resolve(scope, settings.model)).models.every(({ info }) => info.vision);
  const people = makePeople({ db, log, transcript, conversations, handover, executor });
  const runs = makeRuns({ db, transcript, attachments, executor, people, log: runLog, sees });
  const streams = makeRunStreams({ log: runLog, runs, transcript });
  const turns = makeTurns({ db, runs, streams, conversations, transcript, people });
  const agentModels = makeAgentModels({ agents, named: makeAgentLookup({ db }) });
  const completions = makeCompletions({ models: agentModels, conversations, attachments, runs, log: runLog });
  const routes = [
    ...messageRoutes(turns, present),
    ...publicRoutes(turns, options.guests),
    ...approvalRoutes(people),
    ...toolCallRoutes(makeToolCalls({ db }), runs),
    ...completionRoutes(completions, agentModels),
  ];
  /** Runs of conversations, for the door that all kinds of runs share. */
  const door = {
    newest: runs.newest,
    get: runs.get,
    stop: runs.stopRun,
    retry: turns.retry,
    events: turns.runEvents,
  };
  const ask = makeAsk({ db, conversations, transcript, runs, log: runLog });
  return { executor, door, routes, ask, runs, transcript, asked: makeAsked({ db }) };
}
