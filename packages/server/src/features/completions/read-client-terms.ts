import type { CompletionRequest } from '@atrium/contract/completions/schema.ts';
import { forbidden, invalid } from '@atrium/contract/errors.ts';
import type { Settings } from '@atrium/contract/settings/settings.ts';
import type { ClientTerms } from '../messages/ports.ts';
import { type ReadMessages, stepsOf } from './read-messages.ts';
import { askedMaxTokens } from './settings-overrides.ts';

type Rules = Pick<Settings, 'prompt_lock' | 'agentflow_enabled' | 'agent_flow_id' | 'max_tokens'>;

/** Refused: a client would take an answer that ignores the field for one that follows it. */
const notWithFlow = (field: string, input: unknown) =>
  invalid(
    ['body', field],
    'this agent answers by a flow (agentflow_enabled), which does not support this field; leave it out',
    input,
  );

/** Reads the client's terms from a request. Refuses those that the agent forbids or can't fulfil. */
export function readClientTerms(
  body: CompletionRequest,
  { instructions, since }: Pick<ReadMessages, 'instructions' | 'since'>,
  agent: Rules,
): ClientTerms {
  const { tools = [], tool_choice, parallel_tool_calls, response_format: format } = body;
  if (instructions.length && agent.prompt_lock)
    throw forbidden(
      'These settings are locked: the prompt (prompt_lock). Send no messages with the roles system and developer',
      'settings_locked',
    );
  const named = typeof tool_choice === 'object' ? tool_choice.tool : undefined;
  if (named !== undefined && !tools.some((tool) => tool.function.name === named))
    throw invalid(['body', 'tool_choice'], `"${named}" is not among the tools of this request`, named);
  if (tool_choice === 'required' && tools.length === 0)
    throw invalid(['body', 'tool_choice'], '"required" needs at least one entry in tools', tool_choice);
  const json = format && format.type !== 'text';
  if (agent.agentflow_enabled && agent.agent_flow_id) {
    if (tools.length) throw notWithFlow('tools', tools.length);
    if (json) throw notWithFlow('response_format', format.type);
    if (since.length) throw notWithFlow('messages', 'tool');
  }
  const schema = format?.json_schema?.schema;
  const max_tokens = askedMaxTokens(body) ?? 0;
  return {
    ...(instructions.length && { instructions: instructions.join('\n') }),
    ...(tools.length && {
      tools: tools.map(({ function: { name, description = '', parameters, strict } }) => ({
        name,
        description,
        origin: 'caller' as const,
        input_schema: parameters ?? { type: 'object', properties: {} },
        ...(strict && { strict }),
      })),
    }),
    ...(tools.length && tool_choice !== undefined && { tool_choice }),
    ...(body.stop && { stop: true as const }),
    ...(parallel_tool_calls === false && { parallel_tool_calls }),
    ...(max_tokens > agent.max_tokens && { max_tokens }),
    ...(json && { json: schema ? { schema } : {} }),
    ...(since.length && { continued: stepsOf(since) }),
  };
}
