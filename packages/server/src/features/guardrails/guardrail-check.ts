import { invalid } from '@atrium/contract/errors.ts';
import { guardrailsOf } from '@atrium/contract/safety/categories.ts';
import {
  type GuardrailCheckBody,
  type GuardrailVerdicts,
  guardrailDefaults,
} from '@atrium/contract/safety/guardrail-schema.ts';
import { type Guardrail, guardrailCategories } from '@atrium/contract/settings/keys/safety.ts';
import type { Scope } from '../../lib/scope.ts';
import { markCovered } from '../../lib/text/covered-text.ts';
import type { Anonymization } from '../anonymization/service.ts';
import { keepAnonymized } from '../model-calls/service.ts';
import { createCanary } from './canary-check.ts';
import { makeLeakCheck } from './leak-check.ts';
import type { Verdict } from './ports.ts';
import type { Guardrails } from './service.ts';

export type GuardrailCheck = (scope: Scope, input: GuardrailCheckBody) => Promise<GuardrailVerdicts>;

/** Without the prompt to compare with, context_leak would pass any text. */
function leakVerdict({ text, system }: GuardrailCheckBody): Verdict {
  if (system === undefined)
    throw invalid(['body', 'system'], 'context_leak needs the system prompt to compare the reply with', null);
  const started = performance.now();
  const leak = makeLeakCheck(system, createCanary()).leaks(text);
  return { category: 'context_leak', level: null, ...leak, ms: Math.round(performance.now() - started) };
}

/** The contexts of guardrails are the caller's here, not the operator's, so they are anonymized. */
const coverContexts = <S extends Record<(typeof guardrailCategories)[number], Guardrail>>(settings: S): S => ({
  ...settings,
  ...Object.fromEntries(
    guardrailCategories.map((name) => {
      const { context } = settings[name];
      return [name, { ...settings[name], context: context.trim() && markCovered(context) }];
    }),
  ),
});

/** Runs guardrails on a text for a caller, in the same way as in a run. Stores and counts nothing. */
export function makeGuardrailCheck(guardrails: Guardrails, privacy: Anonymization): GuardrailCheck {
  return async (scope, input) => {
    const started = performance.now();
    const { text, stage } = input;
    const settings = { ...guardrailDefaults, ...input.settings };
    const leaks = settings.context_leak && stage === 'output' ? [leakVerdict(input)] : [];
    const asks = text.trim() !== '' && guardrailsOf(stage, settings).length > 0;
    const ask = asks
      ? await guardrails.askFor(scope, keepAnonymized(privacy.temporaryAnonymizer(settings, scope)))
      : undefined;
    const asked = ask
      ? await guardrails.judge(ask).check({ text, stage, settings: coverContexts(settings), signal: scope.signal })
      : { verdicts: [] };
    const verdicts = [...asked.verdicts, ...leaks];
    const flagged = verdicts.some((verdict) => verdict.flagged);
    const action = flagged ? settings.guardrail_action.value : null;
    return { flagged, action, verdicts, ms: Math.round(performance.now() - started) };
  };
}
