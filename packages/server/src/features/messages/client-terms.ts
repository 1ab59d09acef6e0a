import type { ClientTerms } from './ports.ts';

/** The wanted format in words, for providers that have no parameter for it. */
const formatText = ({ schema }: NonNullable<ClientTerms['json']>) =>
  schema
    ? `Answer with JSON of this schema and nothing else, without a code fence: ${JSON.stringify(schema)}`
    : 'Answer with one JSON object and nothing else, without a code fence.';

/** The client's terms as a section of the prompt; empty when there are none. A prompt lock leaves the instructions out. */
export function renderClientTerms({ instructions = '', json }: ClientTerms, prompt_lock: boolean): string {
  return [prompt_lock ? '' : instructions, json ? formatText(json) : ''].filter((text) => text.trim()).join('\n');
}

/** Everything in the terms that a model reads, for the guardrails to judge. */
export function textsOfClientTerms({ instructions = '', tools = [], json }: ClientTerms): string[] {
  const described = tools.map(({ name, description, input_schema }) =>
    [name, description, JSON.stringify(input_schema)].join('\n'),
  );
  return [instructions, ...described, ...(json?.schema ? [JSON.stringify(json.schema)] : [])];
}

/** Selects the tools that a model is offered, the client's and the agent's, and the choice among them. */
export function selectTools({ tools: all = [], tool_choice = 'auto' }: ClientTerms) {
  const forced = all.length > 0 && tool_choice !== 'none' && tool_choice !== 'auto';
  return {
    /** Left out under `none`: there is no such choice about some of the tools. */
    client_tools: tool_choice === 'none' ? [] : all,
    /** A caller that has some tool called must not have one of the agent's called by it. */
    own_tools: !forced,
    ...(forced && { tool_choice }),
  };
}
