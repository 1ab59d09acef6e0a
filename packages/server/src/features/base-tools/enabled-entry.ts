import type { ToolEntry } from '@atrium/contract/settings/base-tools.ts';
import type { Settings } from '@atrium/contract/settings/settings.ts';

/** What the settings say of a base tool; undefined when it is turned off, and the model never hears of it. */
export function enabledEntry(settings: Settings, type: string): ToolEntry | undefined {
  const entry = settings.base_tools.find((tool) => tool.type === type);
  return entry?.['enabled'] === true ? entry : undefined;
}
