import type { Settings } from '@atrium/contract/settings/settings.ts';
import type { ToolEntry } from '@atrium/contract/settings/tools/base-tools.ts';

/**
 * The entry that a tool belongs to. Tools are named `<type>_<verb>`; if two types match, the longer one counts. The entry
 * of a base tool already contains the changes from `tools`.
 */
export const toolEntryOf = ({ base_tools, tools }: Pick<Settings, 'base_tools' | 'tools'>, name: string) =>
  [...base_tools, ...tools]
    .filter(({ type }) => name === type || name.startsWith(`${type}_`))
    .reduce<ToolEntry | undefined>(
      (best, tool) => (best && best.type.length >= tool.type.length ? best : tool),
      undefined,
    );
