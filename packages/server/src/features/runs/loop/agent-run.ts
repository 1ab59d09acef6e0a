import type { RunEvent } from '@atrium/contract/runs/events.ts';
import type { Settings } from '@atrium/contract/settings/settings.ts';
import type { Taint } from '@atrium/contract/tools/tool-result.ts';
import type { Database } from '../../../db/database.ts';
import { maxTokensLowered, systemOf } from '../../../drivers/models/driver.ts';
import { RunFailure } from '../../../execution/run-failure.ts';
import type { Scope } from '../../../lib/scope.ts';
import { nameOfPerson } from '../../actors/service.ts';
import type { Anonymization } from '../../anonymization/service.ts';
import type { RunRequests } from '../../approvals/ports.ts';
import {
  type ApprovalRequesterOptions,
  handOnApprovers,
  makeApprovalRequester,
  resolveDecision,
  scopeOfCall,
} from '../../approvals/service.ts';
import type { Attachments } from '../../attachments/service.ts';
import type { LoadedConversation, Transcript } from '../../conversations/ports.ts';
import { footerText, renderClientTerms, selectTools } from '../../messages/service.ts';
import { withCallContext } from '../../model-calls/service.ts';
import type { Registry } from '../../models/service.ts';
import { inheritedFrom } from '../../settings/service.ts';
import type { Tool, ToolProvider } from '../../tools/ports.ts';
import { describeTool, loadSamples, runTool, taintOfDescriptions } from '../../tools/service.ts';
import type { RunAccounts } from '../../usage/ports.ts';
import { estimateInput } from '../../usage/service.ts';
import type { VariableResolver } from '../../variables/ports.ts';
import type { Workspaces } from '../../workspaces/service.ts';
import { makeCompactor } from '../compaction/compactor.ts';
import { openSummary } from '../compaction/stored-summary.ts';
import { buildSummaryPrompt } from '../compaction/summarize.ts';
import { HandedOver } from '../end/handed-over.ts';
import type { RunGuardrails } from '../guardrails/run-guardrails.ts';
import { flowStepId, toolStepId } from '../log/step-ids.ts';
import { placeOf } from '../models/call-place.ts';
import { modelsForRun } from '../models/models-for-run.ts';
import type { FlowDriver } from '../ports.ts';
import { makeRunHistory } from '../prompt/load-history.ts';
import { attachedText, systemPrompt, textFromClient } from '../prompt/prompt.ts';
import { addNamedResources, selectedModels } from '../start/message-permissions.ts';
import type { RunRow } from '../store.ts';
import { requireUniqueToolNames } from '../tools/client-tools.ts';
import { interruptedCalls, mayRepeatAfterOutage, requireRepeatable } from '../tools/resume-tool-calls.ts';
import { addToolInstructions, coverGivenValues } from '../tools/tool-instructions.ts';
import { flowTurnOf } from './flow-turn.ts';
import type { Progress } from './progress.ts';
import { runAgent } from './run-agent.ts';
import { broughtBy } from './taint.ts';

export interface AgentRunDeps {
  db: Database;
  transcript: Transcript;
  registry: Registry;
  attachments: Attachments;
  workspaces: Workspaces;
  privacy: Anonymization;
  guardrails: RunGuardrails;
  accounts: RunAccounts;
  tools: readonly Tool[];
  /** Fills variables into the texts of the settings, and keeps the way to secrets. */
  variables: VariableResolver;
  toolSources: readonly ToolProvider[];
  /** Answers when the settings have a flow drive the conversation. */
  flow?: FlowDriver | undefined;
  approvals: Pick<ApprovalRequesterOptions, 'egress_approval' | 'approval_timeout'>;
  requests: Pick<RunRequests, 'list' | 'covering'>;
  /** The name of an agent, for the built-in model, which is asked who it is. */
  agentName(scope: Scope, id: string): Promise<string | undefined>;
  /** Limits the scope to the permissions of the author of the agent version. */
  vouched(scope: Scope, version_id: string | null): Promise<Scope>;
  /** Saves a result that is too long for the model as a file of the conversation. */
  keep(scope: Scope, run: RunRow, tool: string, text: string): Promise<{ id: string; name: string }>;
}

/** Passes events on and collects their warnings for the message. */
async function* noted(events: AsyncIterable<RunEvent>, warnings: string[]): AsyncGenerator<RunEvent> {
  for await (const event of events) {
    if (event.type === 'warning') warnings.push(event.message);
    yield event;
  }
}

/** Checks a queued message again at its turn: the conversation may have been locked or used up since. */
function requireRoom(row: LoadedConversation['row'], { usage_limits_max_messages: most }: Settings): void {
  if (row.is_locked) throw new RunFailure('locked', row.lock_message ?? 'This conversation is locked');
  // The message itself stands in it by now.
  if (row.message_count > most)
    throw new RunFailure('usage_limit_reached', `This conversation has reached its limit of ${most} messages`);
}

/** Executes an agent run: loads settings, tools, models, limits and guardrails, then runs the loop. */
export function makeAgentRun(deps: AgentRunDeps) {
  const { db, transcript, registry, workspaces, variables } = deps;
  const historyOf = makeRunHistory(deps);

  return async function* events(
    sender: Scope,
    run: RunRow,
    signal: AbortSignal,
    progress: Progress,
    held?: LoadedConversation,
  ): AsyncGenerator<RunEvent> {
    if (!progress.begun)
      yield {
        type: 'run-start',
        run_id: run.id,
        conversation_id: run.conversation_id,
        user_message_id: run.user_message_id,
        message_id: run.message_id,
      };
    const { row, settings: stored } = held ?? (await transcript.read(sender, run.conversation_id));
    const vouched = await deps.vouched(sender, row.assistant_version_id);
    const accounts = await deps.accounts.of(vouched, row, stored);
    if (!progress.begun && !held) requireRoom(row, stored);
    if (row.manual && !progress.step) throw new HandedOver();
    const { settings, prompts, given, secrets } = await variables(vouched, run.conversation_id, stored);
    /** Runs that tools start have the same restrictions and are charged to this conversation too. */
    const approvers = handOnApprovers(settings, row.inherits?.approvers);
    const inherits = { ...inheritedFrom(settings, run.conversation_id), ...(approvers.length > 0 && { approvers }) };
    const scope: Scope = { ...vouched, inherits, accounts };
    const anonymizer = withCallContext(
      deps.privacy.conversationAnonymizer(run.group_id, run.conversation_id, prompts, row.inherits, {
        isNew: held?.row.message_count === 0,
      }),
      placeOf(run, row),
    );
    const context = {
      anonymizer,
      run_id: run.id,
      conversation_id: run.conversation_id,
      agent_id: row.assistant_id,
      secrets,
    };
    const part = run.input;
    const wanted = addNamedResources(settings, part, scope);
    const made = await Promise.all(deps.toolSources.map((source) => source(scope, wanted, context)));
    const tools = await loadSamples(scope, addToolInstructions(settings, [...deps.tools, ...made.flat()]));
    const deadline = Date.now() + settings.usage_limits_agent_timeout * 1000;
    const models = await modelsForRun(registry, scope, settings, {
      selection: selectedModels(scope, settings, part),
      anonymizer,
      deadline,
      signal,
    });
    const warnings = [...progress.warnings];
    const asked_tokens = part.client?.max_tokens ?? 0;
    const { max_tokens } = settings;
    const early = [
      ...models.skipped.map(({ name, reason }) => ({
        code: 'model_not_configured',
        message: `${name} was passed over: ${reason}`,
      })),
      ...(asked_tokens > max_tokens ? [maxTokensLowered('this agent', asked_tokens, max_tokens)] : []),
    ];
    for (const { code = 'setting_not_taken', message } of early) {
      if (warnings.includes(message)) continue;
      warnings.push(message);
      yield { type: 'warning', code, message };
    }

    const workspace = await workspaces.nameOf(scope);
    const user = settings.exclude_user_identity_from_prompt ? null : await nameOfPerson(deps.db, scope);
    const { content, client = {} } = part;
    const asked = renderClientTerms(client, settings.prompt_lock);
    const prompt = (mark?: string) => systemPrompt(prompts, { user, workspace }, { mark, asked });
    const { conversation_id } = run;
    const { system, guard, asks } = deps.guardrails(scope, {
      settings,
      prompts,
      prompt,
      conversation_id,
      said: [content, asked].join('\n'),
      anonymizer,
      signal,
    });
    if (progress.stopped) guard.stop(progress.stopped.stage, progress.stopped.objections);
    const standing = { fresh: held !== undefined, alone: row.charged_to === null };
    const limits = await deps.accounts.forRun(run, accounts, { settings, progress, ...standing, deadline, signal });
    const { client_tools, own_tools, ...choice } = selectTools(client);
    const first = held?.row.message_count === 0;
    const reading = { first, tools: own_tools ? tools : [], judged: !progress.input_passed && asks('input') };
    const history = await historyOf(scope, run, { row, settings, models, ...reading });
    const { messages, origins, unchecked } = history;
    const summary = await openSummary(deps, run, row, settings, origins, progress.messages.length);
    const compactor = makeCompactor(
      {
        system: system.text,
        tools: [...tools.map(describeTool), ...client_tools],
        context_window: models.context_window,
        max_tokens: settings.max_tokens,
        settings,
        signal,
        async summarize(messages, max_tokens) {
          // The built-in model can quote but not summarize; the compactor then leaves the oldest turns out.
          if (models.extractive) throw new Error('No language model to summarize with');
          return (await models.ask(buildSummaryPrompt(messages, max_tokens), 'compaction', limits)).text;
        },
        save: summary.save,
      },
      summary.memory,
    );
    const canAsk = settings.compaction_enabled && settings.compaction_tool_enabled;
    const own = canAsk ? [...tools, compactor.tool] : tools;
    requireUniqueToolNames(own, client.tools);
    const offered = own_tools ? own : [];
    const toolList = [...coverGivenValues(offered.map(describeTool), given), ...client_tools];
    const stops = client.stop ? { stop_origin: 'caller' as const } : {};
    const parallel = settings.parallel_tool_calls && client.parallel_tool_calls !== false;
    const format =
      client.json && (client.json.schema ? { json_schema: client.json.schema } : { json_object: true as const });
    const atClient = new Set(client_tools.map(({ name }) => name));
    const underWay = interruptedCalls(progress, parallel, atClient);
    /** No tool outlives the run. */
    const toolTime = (name: string) => {
      const { outlasts, time_s = 0 } = offered.find(({ tool }) => tool === name) ?? {};
      const own = outlasts ? Number.POSITIVE_INFINITY : Math.max(settings.tool_timeout, time_s) * 1000;
      return Math.max(1, Math.min(own, deadline - Date.now()));
    };

    const described = taintOfDescriptions(offered);
    const note = (brought: readonly Taint[]) => transcript.addTaint(db, run.group_id, run.conversation_id, brought);
    if (described.some((kind) => !row.brought.includes(kind))) await note(described);
    const taint = new Set([...row.brought, ...described, ...broughtBy(run.input)]);
    const taintAt = (step: number) =>
      taint.union(new Set([...progress.brought].flatMap(([kind, since]) => (since < step ? kind : []))));
    if (!progress.input_passed) {
      // Attached texts, summaries, and history that a client sends, pass the guardrails like the message.
      const sent = row.chat_transport === 'openai' ? textFromClient(history, client) : attachedText(history);
      const brought = [...unchecked, sent].filter(Boolean).join('\n\n');
      for (const text of [content, brought]) yield* noted(guard.check('input', 0, text), warnings);
    }

    const loop = runAgent(
      {
        run_id: run.id,
        message_id: run.message_id,
        prompt: systemOf(system),
        messages,
        tools: toolList,
        client_tools: atClient,
        parallel_tool_calls: parallel,
        progress,
      },
      {
        call: (said, budget) =>
          models.call(
            { ...said, max_tokens: settings.max_tokens, parallel_tool_calls: parallel, ...choice, ...format, ...stops },
            'reply',
            budget,
          ),
        async runTool(call, open, told) {
          const tool = offered.find((one) => one.tool === call.name);
          const { outcome: decided, approved_reach } = await resolveDecision(open, call.id, tool);
          if (decided) return decided;
          requireRepeatable(offered, call, underWay);
          // The tool may start runs that need the reserved tokens.
          if (tool?.outlasts) await limits.release();
          // A call id is unique in its step only.
          const step_id = toolStepId(open.step, call.id);
          return runTool(offered, call, {
            scope: { ...scopeOfCall(scope, settings, tool, call.input), within: { run_id: run.id, step_id } },
            timeout_ms: toolTime(call.name),
            signal,
            secrets,
            as_user: settings.tool_grant_scope === 'user',
            taint: [...taintAt(open.step)],
            approved_reach,
            keep: (own, tool, text) => deps.keep(own, run, tool, text),
            progress: told,
            throws_outage: mayRepeatAfterOutage(offered, call, open, { parallel, interrupted: underWay }),
          });
        },
        consult: makeApprovalRequester({
          tools: offered,
          settings,
          inherited: row.inherits?.approvers,
          taintAt,
          ...deps.approvals,
          requests: () => deps.requests.list(run.group_id, run.id),
          covering: () => deps.requests.covering(run),
          mayHaveRun: (call) => underWay.includes(call),
        }),
        checkResult: (step, text) => guard.check('tool', step, text),
        compact: compactor.compact,
        narrow: compactor.narrow,
        budget: (messages) => limits.budget(estimateInput(messages, toolList, system.text), { logged: true }),
        priced: models.priced,
      },
    );
    // The loop is a generator: it does nothing until it is read.
    const turn = flowTurnOf(run, settings, {
      content,
      asked,
      messages,
      brings: [...taint],
      note,
      progress,
      deadline,
      signal,
    });
    const flowScope = { ...scope, within: { run_id: run.id, step_id: flowStepId } };
    const said = turn && deps.flow ? deps.flow(flowScope, turn) : loop;
    if (said !== loop) await limits.release();
    for await (const event of guard.watch(said)) {
      if (event.type === 'warning') warnings.push(event.message);
      if (event.type === 'run-pause') await limits.release();
      const footer = event.type === 'message-end' ? footerText(settings) : null;
      if (footer) yield { type: 'footer', text: footer };
      yield event.type === 'message-end' ? { ...event, metadata: { ...event.metadata, warnings } } : event;
    }
  };
}
