import type { Database } from '../../db/database.ts';
import type { ModelMessage, ToolCallContent } from '../../drivers/models/driver.ts';

import { inputSchemaOf } from '../../lib/schema/json-schema.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Tool } from '../../lib/tool.ts';
import { withToolHints } from '../../lib/tool-hints.ts';
import type { Attachments } from '../attachments/service.ts';
import type { Held, Transcript } from '../conversations/transcript.ts';
import type { Registry } from '../models/registry.ts';
import type { Privacy } from '../safety/privacy/privacy.ts';
import type { Settings } from '../settings/settings.ts';
import { runTool } from '../tools/run-tool.ts';
import type { VariableResolver } from '../variables/resolve.ts';
import type { Workspaces } from '../workspaces/service.ts';
import { makeCompactor } from './compaction.ts';
import { summaryQuestion } from './compaction-summary.ts';
import { footerOf } from './display.ts';
import type { RunEvent } from './events.ts';
import type { RunGuardrails } from './guardrails-for-run.ts';
import { historyLimit, modelHistory } from './history.ts';
import { makeLimits } from './limits.ts';
import { runAgent } from './loop.ts';
import type { UserPart } from './message-parts.ts';
import { modelsForRun, type RunModels } from './models-for-run.ts';
import type { Progress } from './progress.ts';
import { systemPrompt } from './prompt.ts';
import { RunFailure } from './run-failure.ts';
import type { RunRow } from './store.ts';

export interface AgentRunDeps {
  db: Database;
  transcript: Transcript;
  registry: Registry;
  attachments: Attachments;
  workspaces: Workspaces;
  privacy: Privacy;
  guardrails: RunGuardrails;
  tools: readonly Tool[];
  /** Fills variables into the texts of the settings, and keeps the way to secrets. */
  variables: VariableResolver;
  toolSources: readonly ToolSource[];
}

/** Makes the tools that settings ask for. */
export type ToolSource = (scope: Scope, settings: Settings) => Promise<Tool[]>;

/** The built-in model is told which tool the user named; it has no other way to know. */
function hinted(messages: ModelMessage[], part: UserPart): ModelMessage[] {
  const last = messages.at(-1);
  if (last?.role !== 'user') return messages;
  const at = last.parts.findLastIndex(({ type }) => type === 'text');
  const parts = last.parts.map((own, index) =>
    own.type === 'text' && index === at ? { ...own, text: withToolHints(own.text, part) } : own,
  );
  return [...messages.slice(0, -1), { role: 'user', parts }];
}

/** What came in files with the newest message: a stranger's words, like those that a tool finds. */
function attachedText(messages: readonly ModelMessage[]): string {
  const last = messages.at(-1);
  const texts = last?.role === 'user' ? last.parts.flatMap((part) => (part.type === 'text' ? part.text : [])) : [];
  // The last one is what the user wrote.
  return texts.slice(0, -1).join('\n\n');
}

const described = ({ tool, description, input }: Tool) => ({
  name: tool,
  description,
  input_schema: inputSchemaOf(input),
});

/** The same events; what they warn of is noted for the message. */
async function* noted(events: AsyncIterable<RunEvent>, warnings: string[]): AsyncGenerator<RunEvent> {
  for await (const event of events) {
    if (event.type === 'warning') warnings.push(event.message);
    yield event;
  }
}

/** The calls that may have been under way when the node died: all without a result, or the first where they take turns. */
function callsUnderWay({ open }: Progress, parallel: boolean): ToolCallContent[] {
  const done = new Set(open?.results.map(({ id }) => id));
  const left = open?.calls.filter(({ id }) => !done.has(id)) ?? [];
  return parallel ? left : left.slice(0, 1);
}

/** A call that was under way when its node died may have had its effect: only some tools may be called again. */
function requireRepeatable(tools: readonly Tool[], call: ToolCallContent, underWay: readonly ToolCallContent[]): void {
  // The very call, not its id: providers count those anew in each step.
  if (!underWay.includes(call)) return;
  if (tools.find(({ tool }) => tool === call.name)?.repeatable !== false) return;
  throw new RunFailure(
    'tool_interrupted',
    `The server was stopped while ${call.name} ran. It may or may not have had its effect, so it was not called again; look before you retry.`,
  );
}

/** What the user said, as it was just stored; where nothing was said before it is all there is to read. */
const said = (run: RunRow) => ({ role: 'user' as const, parts: JSON.stringify([run.input]), metadata: null });

/** A run of a conversation: everything the loop needs, gathered from the settings, and then the loop. */
export function makeAgentRun(deps: AgentRunDeps) {
  const { db, transcript, registry, attachments, workspaces, variables } = deps;
  async function historyOf(
    scope: Scope,
    run: RunRow,
    settings: Settings,
    models: RunModels,
    first: boolean,
  ): Promise<ModelMessage[]> {
    const rows = first ? [said(run)] : await transcript.latest(db, run.group_id, run.conversation_id, historyLimit);
    const messages = await modelHistory(rows, (files, is_last) =>
      attachments.forModel(scope, files, {
        vision: models.vision,
        // A file of long ago must not block the conversation because the setting or the model has changed since.
        convert_unsupported_files_to_text: settings.convert_unsupported_files_to_text || !is_last,
      }),
    );
    return models.extractive ? hinted(messages, run.input as unknown as UserPart) : messages;
  }

  return async function* events(
    scope: Scope,
    run: RunRow,
    signal: AbortSignal,
    progress: Progress,
    held?: Held,
  ): AsyncGenerator<RunEvent> {
    if (!progress.begun)
      yield {
        type: 'run-start',
        run_id: run.id,
        conversation_id: run.conversation_id,
        user_message_id: run.user_message_id,
        message_id: run.message_id,
      };
    const { row, settings: stored } = held ?? (await transcript.read(scope, run.conversation_id));
    const { settings, secrets } = await variables(scope, run.conversation_id, stored);
    const made = await Promise.all(deps.toolSources.map((source) => source(scope, settings)));
    const tools = [...deps.tools, ...made.flat()];
    const deadline = Date.now() + settings.usage_limits_agent_timeout * 1000;
    const selection = (run.input as unknown as UserPart).model_selection;
    const veil = deps.privacy.veilOf(run.group_id, run.conversation_id, settings);
    const models = await modelsForRun(registry, scope, settings, { selection, veil, deadline, signal });
    const warnings = [...progress.warnings];
    for (const { name, reason } of models.skipped) {
      const message = `${name} was passed over: ${reason}`;
      if (warnings.includes(message)) continue;
      warnings.push(message);
      yield { type: 'warning', code: 'model_not_configured', message };
    }

    const workspace = await workspaces.nameOf(scope);
    const prompt = systemPrompt(settings, { user: null, workspace });
    const { content } = run.input as unknown as UserPart;
    const { conversation_id } = run;
    const { system, guard } = deps.guardrails(scope, {
      settings,
      prompt,
      conversation_id,
      said: content,
      veil,
      signal,
    });
    if (!progress.input_passed) yield* noted(guard.check('input', 0, content), warnings);
    const limits = makeLimits({
      // What ends a reply at the model's own limit is not the conversation's.
      settings: { ...settings, max_tokens: Math.min(settings.max_tokens, models.max_output_tokens) },
      used_tokens: row.tokens_used + progress.usage.input_tokens + progress.usage.output_tokens,
    });
    const compactor = makeCompactor({
      system,
      tools: tools.map(described),
      context_window: models.context_window,
      max_tokens: settings.max_tokens,
      settings,
      signal,
      async summarize(messages, max_tokens) {
        // The built-in model can quote but not summarize; the compactor then leaves the oldest turns out.
        if (models.extractive) throw new Error('No language model to summarize with');
        const question = summaryQuestion(messages, max_tokens);
        limits.reserve([{ role: 'user', parts: [{ type: 'text', text: question.text }] }], [], question.system);
        const { text, usage } = await models.ask(question);
        limits.settle(usage);
        const { input_tokens, output_tokens } = usage;
        await transcript.addTokens(db, run.group_id, run.conversation_id, input_tokens + output_tokens);
        return text;
      },
    });
    const canAsk = settings.compaction_enabled && settings.compaction_tool_enabled;
    const offered = canAsk ? [...tools, compactor.tool] : tools;
    const toolList = offered.map(described);
    const underWay = callsUnderWay(progress, settings.parallel_tool_calls);
    /** No tool outlives the run. */
    const toolTime = () => Math.max(1, Math.min(settings.tool_timeout * 1000, deadline - Date.now()));

    const messages = await historyOf(scope, run, settings, models, held?.row.message_count === 0);
    if (!progress.step) yield* noted(guard.check('tool', 0, attachedText(messages)), warnings);

    const loop = runAgent(
      {
        run_id: run.id,
        message_id: run.message_id,
        system,
        messages,
        tools: toolList,
        parallel_tool_calls: settings.parallel_tool_calls,
        progress,
      },
      {
        call: models.call,
        async runTool(call) {
          requireRepeatable(offered, call, underWay);
          return runTool(offered, call, { scope, timeout_ms: toolTime(), signal, secrets });
        },
        checkResult: (step, text) => guard.check('tool', step, text),
        compact: compactor.compact,
        reserve: (messages) => limits.reserve(messages, toolList, system),
        settle: limits.settle,
        priced: models.priced,
      },
    );
    for await (const event of noted(guard.watch(loop), warnings)) {
      const footer = event.type === 'message-end' ? footerOf(settings) : null;
      if (footer) yield { type: 'footer', text: footer };
      yield event.type === 'message-end' ? { ...event, metadata: { ...event.metadata, warnings } } : event;
    }
  };
}
