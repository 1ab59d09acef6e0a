import { keysOf } from '../keys-of.ts';
import { type ReferenceKind, referenceLists } from './entries.ts';
import type { SettingControl, ShownWhen } from './key.ts';
import { layersOf, type SettingLayer } from './layers.ts';
import { type LockName, lockGroups, lockNames } from './locks.ts';
import type { SettingClass } from './setting-class.ts';
import { type EntryField, fieldOf, type SettingBounds } from './setting-fields.ts';
import { type SettingName, settingGroups, settingKeys } from './settings.ts';
import { baseTools } from './tools/base-tools.ts';

export type SettingGroup = keyof typeof settingGroups;

/** A setting as a form shows it. Plain JSON, so that it can be sent, stored and bundled without the schemas. */
export interface SettingMetadata<Name extends string = string> {
  key: Name;
  group: string;
  section: string;
  label: string;
  help: string;
  control: SettingControl;
  unit: string | null;
  default: unknown;
  bounds: SettingBounds;
  /** The known fields of each entry, for lists of objects. */
  fields: EntryField[] | null;
  /** The kind of record that the value or its entries name. */
  references: ReferenceKind | null;
  shownWhen: ShownWhen | null;
}

/** A setting of agents and conversations. */
export interface AgentSettingMetadata extends SettingMetadata<SettingName> {
  group: SettingGroup;
  /** Which places can set it. */
  layers: SettingLayer[];
  /** Which permissions a change on a conversation needs. */
  class: SettingClass;
  /** The direction that callers with `agents_run` may change it in; null: none, or any when it is presentation. */
  stricter: string | null;
  /** The lock that refuses changes while it is on. */
  lock: LockName | null;
}

const references: Partial<Record<SettingName, ReferenceKind>> = { ...referenceLists, agent_flow_id: 'workflow' };
const lockOf = (name: SettingName) => lockNames.find((lock) => lockGroups[lock].some((key) => key === name)) ?? null;

function describeSetting(name: SettingName, group: SettingGroup): AgentSettingMetadata {
  const definition = settingKeys[name];
  const { section, label, help, fallback, shownWhen = null, stricter } = definition;
  return {
    ...{ key: name, group, section, label, help },
    ...fieldOf(definition),
    default: name === 'base_tools' ? baseTools : fallback,
    references: references[name] ?? null,
    layers: layersOf(name),
    class: definition.class,
    stricter: stricter?.direction ?? null,
    lock: lockOf(name),
    shownWhen,
  };
}

const namesIn = (group: SettingGroup): SettingName[] => keysOf(settingGroups[group]);

/** Every setting of agents and conversations, in the order of answers. */
export const settingsMetadata = (): readonly AgentSettingMetadata[] =>
  keysOf(settingGroups).flatMap((group) => namesIn(group).map((name) => describeSetting(name, group)));

/** The headings of a settings form, in their order. */
export const settingsOutline: readonly { group: SettingGroup; label: string; sections: readonly string[] }[] = [
  {
    group: 'safety',
    label: 'Safety',
    sections: ['Personal data', 'Guardrails', 'Violations', 'Prompt protection', 'Approvals'],
  },
  {
    group: 'model',
    label: 'Model and parameters',
    sections: [
      ...['Model choice', 'Sampling', 'Reasoning', 'Reliability', 'Prompt'],
      ...['Context', 'Limits', 'Tool calls', 'Flow'],
    ],
  },
  {
    group: 'display',
    label: 'Display and transport',
    sections: ['Chat', 'Reasoning and tool calls', 'Sources', 'Channels', 'Titles', 'Feedback'],
  },
  {
    group: 'capabilities',
    label: 'Agent content and capabilities',
    sections: [
      ...['Instructions', 'Tools', 'Knowledge and data', 'Team of agents'],
      ...['Flow', 'Insights', 'Stored for clients'],
    ],
  },
  { group: 'layout', label: 'Layout', sections: ['Layout strings'] },
];
