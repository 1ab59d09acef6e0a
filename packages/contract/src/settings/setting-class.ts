import type { z } from 'zod';
import { key, type SettingKey, type Shown } from './key.ts';
import type { Strictness } from './strictness.ts';

/**
 * Which permissions a change of a key on a conversation needs. `presentation`: `agents_run`. `behaviour` and `capability`:
 * `agents_edit`, and for a capability also the permission of each record that it refers to. A change in the key's stricter
 * direction needs `agents_run` alone.
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
