import { guardrailCategories } from '../settings/safety.ts';
import type { Settings } from '../settings/settings.ts';
import { RunFailure } from './run-failure.ts';

const switches = ['jailbreak', 'prompt_injection', 'context_leak'] as const;

/**
 * Guardrails are not built yet. A run that asks for one is refused rather than answered without it: a guardrail that
 * can't be asked counts as one that said no.
 */
export function requireGuardrails(settings: Settings): void {
  const asked = [
    ...guardrailCategories.filter((name) => settings[name].value !== 'Off'),
    ...switches.filter((name) => settings[name]),
  ];
  if (asked.length)
    throw new RunFailure(
      'guardrail_unavailable',
      `These guardrails are on and can not be applied here yet: ${asked.join(', ')}`,
    );
}
