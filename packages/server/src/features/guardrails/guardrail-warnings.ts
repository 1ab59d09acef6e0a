import { type GuardrailSettings, guardrailsOf, modelCategories } from '@atrium/contract/safety/categories.ts';
import { safety } from '@atrium/contract/settings/keys/safety.ts';
import type { SettingsWarnings } from '../settings/ports.ts';
import { GuardrailUnavailable } from './guardrail-unavailable.ts';
import type { Guardrails } from './service.ts';

const nothingOn = Object.fromEntries(
  [...modelCategories, 'guardrails_scan_output' as const].map((name) => [name, safety[name].fallback]),
) as unknown as GuardrailSettings;

/** A guardrail can be turned on without a model. Runs are then refused, so the caller gets a warning now. */
export const guardrailWarnings =
  (guardrails: Pick<Guardrails, 'modelFor'>): SettingsWarnings =>
  async (scope, sent, at) => {
    const [first] = guardrailsOf('input', { ...nothingOn, ...sent });
    if (!first) return [];
    try {
      await guardrails.modelFor(scope);
      return [];
    } catch (error) {
      if (!(error instanceof GuardrailUnavailable)) throw error;
      const msg = `${error.message}. Until then runs with these guardrails are refused.`;
      return [{ loc: [...at, first.category], msg, type: error.code }];
    }
  };
