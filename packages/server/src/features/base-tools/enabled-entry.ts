import type { Settings } from '@atrium/contract/settings/settings.ts';
import type { ToolEntry } from '@atrium/contract/settings/tools/base-tools.ts';

/** The settings of a base tool; undefined when the tool is off and not offered to the model. */
export function enabledEntry(settings: Settings, type: string): ToolEntry | undefined {
  const entry = settings.base_tools.find((tool) => tool.type === type);
  return entry?.['enabled'] === true ? entry : undefined;
}
