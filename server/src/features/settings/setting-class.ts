import type { z } from 'zod';
import { key, type SettingKey, type Shown } from './key.ts';
import type { Strictness } from './strictness.ts';

/**
 * Who may change a key on a conversation. `presentation`: whoever may run the agent. `behaviour` and `capability`: who
 * may edit agents, and for a capability also holds the permission of what it refers to. A change in the key's stricter
 * direction is open to everyone who may run the agent.
 */
export const settingClasses = ['presentation', 'behaviour', 'capability'] as const;
export type SettingClass = (typeof settingClasses)[number];

/** A key of the settings of agents and conversations. */
export interface ClassedKey<T = unknown> extends SettingKey<T> {
  class: SettingClass;
  stricter: Strictness<T> | undefined;
}

const classed =
  (name: SettingClass) =>
  <T>(
    schema: z.ZodType<T>,
    fallback: T,
    effect: string,
    shown?: Shown,
    // Inferred from the schema alone, so that a strictness of another type is refused.
    stricter?: Strictness<NoInfer<T>>,
  ): ClassedKey<T> => ({ ...key(schema, fallback, effect, shown), class: name, stricter });

export const presentation = classed('presentation');
export const behaviour = classed('behaviour');
export const capability = classed('capability');
