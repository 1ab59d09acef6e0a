import { plainOf, richText } from '@atrium/contract/settings/rich-text.ts';
import type { Settings } from '@atrium/contract/settings/settings.ts';
import { entriesFor } from '../../approvals/service.ts';
import type { Tool } from '../../tools/ports.ts';

const longest = 4000;
const words = richText();

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
