import type { z } from 'zod';

/**
 * How we know that a setting does what it says: the name of a test that shows it, or why there is none. `layout`: a
 * string that screens use, stored and returned. `kept for clients`: stored and returned as it came. `pending`: its
 * feature is not built yet.
 */
export type Shown = 'layout' | 'kept for clients' | 'pending' | { test: string };

/** One key of the settings object: what it takes, what it is when nobody says, what it does. */
export interface SettingKey<T = unknown> {
  schema: z.ZodType<T>;
  fallback: T;
  effect: string;
  shown: Shown;
}

export const key = <T>(schema: z.ZodType<T>, fallback: T, effect: string, shown: Shown = 'pending'): SettingKey<T> => ({
  schema,
  fallback,
  effect,
  shown,
});

/** The values of a group of keys. */
export type ValuesOf<K extends Record<string, SettingKey>> = { [N in keyof K]: K[N]['fallback'] };
