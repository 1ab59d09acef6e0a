import { allows } from '@atrium/contract/permissions.ts';
import type { Settings } from '@atrium/contract/settings/settings.ts';
import type { Scope } from '../../lib/scope.ts';
import type { MessagePart } from './ports.ts';

/** Types of parts that an answer leaves out of stored messages. */
export type HiddenParts = ReadonlySet<MessagePart['type']>;

/** The parts that the display settings hide from this caller. Administrators of the workspace read all parts. */
export function hiddenPartsFor({ permissions }: Pick<Scope, 'permissions'>, settings: Settings): HiddenParts {
  if (allows(permissions, 'workspace_admin')) return new Set();
  const hidden: [MessagePart['type'], boolean][] = [
    ['reasoning', settings.hide_reasoning],
    ['workflow_progress', settings.hide_workflow_progress],
    ['error', settings.hide_error_banners],
    ['state_transition', settings.hide_state_transitions],
  ];
  return new Set(hidden.flatMap(([type, isHidden]) => (isHidden ? type : [])));
}

/** The JSON text of a message's parts without the hidden ones. Text that has none is not parsed. */
export function dropHiddenParts(text: string, hidden: HiddenParts): string {
  if (![...hidden].some((type) => text.includes(`"type":"${type}"`))) return text;
  const parts: MessagePart[] = JSON.parse(text);
  return JSON.stringify(parts.filter(({ type }) => !hidden.has(type)));
}
