import { createHash } from 'node:crypto';
import type { SparseSettings } from '@atrium/contract/settings/settings.ts';

/** The same JSON for equal values, however their keys are ordered. */
const sortKeys = (_: string, value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** Tells settings apart, so that a run of the same ones is found again. */
export const digestSettings = (settings: SparseSettings): string =>
  createHash('sha256').update(JSON.stringify(settings, sortKeys)).digest('hex');
