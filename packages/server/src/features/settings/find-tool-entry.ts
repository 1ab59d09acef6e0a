import type { ToolEntry } from '@atrium/contract/settings/base-tools.ts';
import type { Settings } from '@atrium/contract/settings/settings.ts';

/**
 * The entry that a tool belongs to: names are `<type>_<verb>`, and of two types that fit the longer is meant. A base
 * tool's entry is the merged one; what `tools` says of its type is in it already.
 */
export const toolEntryOf = ({ base_tools, tools }: Pick<Settings, 'base_tools' | 'tools'>, name: string) =>
  [...base_tools, ...tools]
    .filter(({ type }) => name === type || name.startsWith(`${type}_`))
    .reduce<ToolEntry | undefined>(
      (best, tool) => (best && best.type.length >= tool.type.length ? best : tool),
      undefined,
    );
