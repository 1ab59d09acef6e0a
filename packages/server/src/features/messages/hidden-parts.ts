import { allows } from '@atrium/contract/permissions.ts';
import type { Settings } from '@atrium/contract/settings/settings.ts';
import type { Scope } from '../../lib/scope.ts';
import type { MessagePart } from './ports.ts';

/** Types of parts that an answer leaves out of stored messages; `advice` is text for the operator. */
export type HiddenParts = ReadonlySet<MessagePart['type'] | 'advice'>;

/** Administrators of the workspace read all parts of messages. */
export const seesAllParts = ({ permissions }: Pick<Scope, 'permissions'>) => allows(permissions, 'workspace_admin');

/** The parts that are hidden from this caller: by the display settings, and text for the operator. */
export function hiddenPartsFor(scope: Pick<Scope, 'permissions'>, settings: Settings): HiddenParts {
  if (seesAllParts(scope)) return new Set();
  const hidden: [MessagePart['type'] | 'advice', boolean][] = [
    ['advice', true],
    ['reasoning', settings.hide_reasoning],
    ['workflow_progress', settings.hide_workflow_progress],
    ['error', settings.hide_error_banners],
    ['state_transition', settings.hide_state_transitions],
  ];
  return new Set(hidden.flatMap(([type, isHidden]) => (isHidden ? type : [])));
}

/** The JSON text of a message's parts without the hidden ones. Text that has none is not parsed. */
export function dropHiddenParts(text: string, hidden: HiddenParts): string {
  if (![...hidden].some((type) => text.includes(type === 'advice' ? '"advice":true' : `"type":"${type}"`))) return text;
  const parts: MessagePart[] = JSON.parse(text);
  const isHidden = (part: MessagePart) => hidden.has(part.type) || ('advice' in part && hidden.has('advice'));
  return JSON.stringify(parts.filter((part) => !isHidden(part)));
}
