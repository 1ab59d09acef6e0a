import type { z } from 'zod';
import type { ProviderDefinition } from './driver.ts';

/** Checks the types of a provider's definition, its environment variables among them. */
export const defineProvider = <Variables extends z.ZodRawShape>(
  definition: ProviderDefinition<Variables>,
): ProviderDefinition => definition;
