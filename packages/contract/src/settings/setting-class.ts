import type { SettingKey } from './key.ts';
import type { Strictness } from './strictness/strictness.ts';

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

/** The types come from the schema alone, so that a default or a strictness of another type is refused. */
type Definition<T> = Omit<SettingKey<T>, 'fallback'> & {
  fallback: NoInfer<T>;
  stricter?: Strictness<NoInfer<T>>;
};

const classed =
  (name: SettingClass) =>
  <T>({ stricter, ...definition }: Definition<T>): ClassedKey<T> => ({ ...definition, class: name, stricter });

export const presentation = classed('presentation');
export const behaviour = classed('behaviour');
export const capability = classed('capability');
