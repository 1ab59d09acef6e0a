import { plainOf, richText } from '@atrium/contract/settings/rich-text.ts';
import type { Settings } from '@atrium/contract/settings/settings.ts';
import type { ModelTool } from '../../../drivers/models/driver.ts';
import { entriesFor } from '../../approvals/service.ts';
import type { Tool } from '../../tools/ports.ts';

const longest = 4000;
const words = richText();

/** A tool whose texts hold a value that came with the conversation is covered as a whole. */
export const coverGivenValues = (tools: readonly ModelTool[], given: readonly string[]): ModelTool[] =>
  tools.map((tool) => {
    const texts = `${tool.description}\n${JSON.stringify(tool.input_schema)}`;
    const holds = given.some(
      (value) => value.trim() && (texts.includes(value) || texts.includes(JSON.stringify(value).slice(1, -1))),
    );
    return holds ? { ...tool, origin: 'caller' } : tool;
  });

/** Adds the instructions in the settings entries of tools to their descriptions. */
export function addToolInstructions(settings: Settings, tools: readonly Tool[]): Tool[] {
  return tools.map((tool) => {
    const said = entriesFor(settings, tool).flatMap(({ extra_instructions: given }) => {
      const { data } = given ? words.safeParse(given) : {};
      return (data && plainOf(data)) || [];
    });
    return said.length === 0
      ? tool
      : { ...tool, description: `${tool.description}\n${said.join('\n').slice(0, longest).toWellFormed()}` };
  });
}
