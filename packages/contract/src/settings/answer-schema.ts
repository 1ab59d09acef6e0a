import { z } from 'zod';
import { type SettingName, settingKeys } from './settings.ts';

/** In answers every key is there; its type is that of its default, and what has no default may be null. */
function answerOf(fallback: unknown): z.ZodType {
  if (fallback === null) return z.string().nullable();
  if (Array.isArray(fallback)) return z.array(z.unknown());
  if (typeof fallback === 'string') return z.string();
  if (typeof fallback === 'boolean') return z.boolean();
  return typeof fallback === 'number' ? z.number() : z.record(z.string(), z.unknown());
}

export const settingsAnswer = z
  .strictObject(
    Object.fromEntries(Object.entries(settingKeys).map(([name, { fallback }]) => [name, answerOf(fallback)])) as Record<
      SettingName,
      z.ZodType
    >,
  )
  .meta({ id: 'Settings' });
