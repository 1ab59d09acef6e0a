import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool, SharedV4Warning } from '@ai-sdk/provider';
import type { ClaudeTraits } from './claude-models.ts';

type Choice = NonNullable<LanguageModelV4CallOptions['toolChoice']>;

export interface ToolRequest {
  tools: readonly LanguageModelV4FunctionTool[];
  choice: Choice | undefined;
  one_at_a_time: true | undefined;
  /** The model is not made to call a tool, because it or its thinking refuses that. */
  refuses_force: boolean;
}

/** The tool that a model answers with, when it can't follow the schema of an answer otherwise. */
export const answerTool = (inputSchema: LanguageModelV4FunctionTool['inputSchema']): LanguageModelV4FunctionTool => ({
  ...{ type: 'function', name: 'json', description: 'Respond with a JSON object.', inputSchema },
});

function toolField(tool: LanguageModelV4FunctionTool, traits: ClaudeTraits): object {
  const { name, description, inputSchema: input_schema, strict } = tool;
  const held = traits.follows_schemas && strict !== undefined ? { strict } : {};
  return { name, description, input_schema, eager_input_streaming: true, ...held };
}

const withoutForce = {
  required:
    `toolChoice 'required' is not supported with this model or thinking configuration. ` +
    `Using 'auto' instead. Instruct the model to use a tool in the prompt and verify that a tool call was made.`,
  tool: (name: string) =>
    `toolChoice 'tool' is not supported with this model or thinking configuration. ` +
    `Only the '${name}' tool is sent with 'auto' tool choice. ` +
    `Instruct the model to use the tool in the prompt and verify that a tool call was made.`,
};

/** The fields of a request that are about tools. */
export function toolFields(given: ToolRequest, traits: ClaudeTraits): { fields: object; warnings: SharedV4Warning[] } {
  const { tools, choice, one_at_a_time, refuses_force } = given;
  if (tools.length === 0) return { fields: {}, warnings: [] };
  const warnings: SharedV4Warning[] = tools
    .filter(({ strict }) => strict && !traits.follows_schemas)
    .map(({ name }) => ({
      type: 'unsupported',
      feature: 'strict',
      details: `Tool '${name}' has strict: true, but strict mode is not supported by this provider. The strict property will be ignored.`,
    }));
  const fields = (choice_field: object, offered = tools) => ({
    fields: {
      tools: offered.map((tool) => toolField(tool, traits)),
      tool_choice: { ...choice_field, disable_parallel_tool_use: one_at_a_time },
    },
    warnings,
  });
  const refused = (details: string) => void warnings.push({ type: 'unsupported', feature: 'toolChoice', details });
  if (choice?.type === 'required') {
    if (!refuses_force) return fields({ type: 'any' });
    refused(withoutForce.required);
  }
  if (choice?.type === 'tool') {
    if (!refuses_force) return fields({ type: 'tool', name: choice.toolName });
    refused(withoutForce.tool(choice.toolName));
    return fields(
      { type: 'auto' },
      tools.filter(({ name }) => name === choice.toolName),
    );
  }
  return fields({ type: 'auto' });
}
