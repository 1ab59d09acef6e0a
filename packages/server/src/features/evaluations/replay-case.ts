import type { EvaluationCase } from '@atrium/contract/evaluations/schema.ts';
import type { Settings } from '@atrium/contract/settings/settings.ts';
import {
  type ModelMessage,
  systemOf,
  type ToolCallContent,
  type ToolResultContent,
} from '../../drivers/models/driver.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Anonymization } from '../anonymization/service.ts';
import { withCallContext } from '../model-calls/service.ts';
import type { Registry } from '../models/service.ts';
import { addToolInstructions, coverGivenValues, modelsForRun, systemPrompt } from '../runs/service.ts';
import type { SecretSetting, Tool, ToolProvider } from '../tools/ports.ts';
import { describeTool, loadSamples } from '../tools/service.ts';
import type { VariableResolver } from '../variables/ports.ts';
import type { Workspaces } from '../workspaces/service.ts';
import { type AnsweredCall, makeToolCallAnswerer } from './answer-tool-call.ts';

export interface ReplayResult {
  answer: string;
  sources: string[];
  tool_calls: AnsweredCall['told'][];
  input_tokens: number;
  output_tokens: number;
  cost: number | null;
}

export type ReplayCase = (
  scope: Scope,
  version: { id: string | null; agent_id: string; settings: Settings; restricted: readonly SecretSetting[] },
  input: { evaluation_run_id: string; one: EvaluationCase; reader: Scope },
  signal: AbortSignal,
) => Promise<ReplayResult>;

const mostSteps = 20;
const patience = 5 * 60_000;

/**
 * Lets a version of an agent answer as in a conversation, without one: nothing is stored, tools with effects answer from
 * recordings alone, and personal data is anonymized as usual. Guardrails are not applied: they judge users, not versions.
 */
export function makeReplayCase(deps: {
  registry: Registry;
  privacy: Anonymization;
  variables: VariableResolver;
  workspaces: Workspaces;
  tools: readonly Tool[];
  toolSources: readonly ToolProvider[];
}): ReplayCase {
  return async (scope, version, { evaluation_run_id, one, reader }, signal) => {
    const { settings, prompts, given, secrets } = await deps.variables(
      scope,
      evaluation_run_id,
      version.settings,
      version.restricted,
    );
    const place = { conversation_id: null, run_id: null, agent_id: version.agent_id, version_id: version.id };
    const anonymizer = withCallContext(deps.privacy.temporaryAnonymizer(prompts, scope), place);
    const context = {
      anonymizer,
      run_id: evaluation_run_id,
      conversation_id: evaluation_run_id,
      agent_id: version.agent_id,
      secrets,
    };
    // An evaluation reads with the permissions of its own caller, even if the agent reads more for others.
    const asCaller = { ...settings, tool_grant_scope: 'user' as const };
    const made = await Promise.all(deps.toolSources.map((source) => source(reader, asCaller, context)));
    const tools = await loadSamples(reader, addToolInstructions(settings, [...deps.tools, ...made.flat()]));
    const deadline = Date.now() + patience;
    const models = await modelsForRun(deps.registry, scope, settings, {
      selection: undefined,
      anonymizer,
      deadline,
      signal,
    });
    const prompt = systemPrompt(prompts, { user: null, workspace: await deps.workspaces.nameOf(scope) });
    const described = coverGivenValues(tools.map(describeTool), given);
    const answerToolCall = makeToolCallAnswerer({ scope: reader, one, tools, settings, secrets, signal });
    const out: ReplayResult = {
      answer: '',
      sources: [],
      tool_calls: [],
      input_tokens: 0,
      output_tokens: 0,
      cost: null,
    };
    const messages: ModelMessage[] = [];

    for (const said of one.messages) {
      messages.push({ role: 'user', parts: [{ type: 'text', text: said }] });
      for (let step = 0; step < mostSteps; step++) {
        const said = { ...systemOf(prompt), messages, tools: described, max_tokens: settings.max_tokens };
        const answer = models.call(said, 'evaluation');
        let text = '';
        let calls: ToolCallContent[] = [];
        let next = await answer.next();
        for (; !next.done; next = await answer.next()) {
          const part = next.value;
          if (part.type === 'attempt' && part.discard) [text, calls] = ['', []];
          else if (part.type === 'text') text += part.text;
          else if (part.type === 'tool-call') calls.push(part);
        }
        const used = models.priced(next.value);
        out.input_tokens += used.input_tokens;
        out.output_tokens += used.output_tokens;
        if (used.cost !== null) out.cost = (out.cost ?? 0) + used.cost;
        out.answer = text;
        messages.push({ role: 'assistant', parts: [...(text ? [{ type: 'text' as const, text }] : []), ...calls] });
        if (calls.length === 0) break;
        const results: ToolResultContent[] = [];
        for (const call of calls) {
          const { result, told, sources } = await answerToolCall(call);
          results.push(result);
          out.tool_calls.push(told);
          out.sources.push(...sources);
        }
        messages.push({ role: 'tool', results });
      }
    }
    return out;
  };
}
