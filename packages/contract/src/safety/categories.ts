import { guardrailCategories } from '../settings/keys/safety.ts';
import type { Settings } from '../settings/settings.ts';

/** From harmless to grave. */
export const severities = ['none', 'low', 'moderate', 'severe'] as const;
export type Severity = (typeof severities)[number];

/** Where a text stands: sent by a user, returned by a tool or a search, or about to be sent by the agent. */
export const stages = ['input', 'tool', 'output'] as const;
export type Stage = (typeof stages)[number];

/** Guardrails that a language model judges. */
export const modelCategories = [...guardrailCategories, 'jailbreak', 'prompt_injection'] as const;
export type ModelCategory = (typeof modelCategories)[number];

export type GuardrailSettings = Pick<Settings, ModelCategory | 'guardrails_scan_output'>;
export type Level = Exclude<Settings[(typeof guardrailCategories)[number]]['value'], 'Off'>;

/** A guardrail that is on for a stage. */
export interface Guardrail {
  category: ModelCategory;
  /** Null for a guardrail that is only on or off. */
  level: Level | null;
  /** Text that the agent's settings add to the policy. */
  context: string;
}

/** The lowest severity that each level flags. */
const thresholds: Record<Level, Severity> = { Low: 'severe', Medium: 'moderate', High: 'low' };

export const rankOf = (severity: Severity) => severities.indexOf(severity);

/** Decides by the severity alone; the model's own opinion is ignored. Without levels, any attempt is flagged. */
export const isFlagged = (level: Level | null, severity: Severity): boolean =>
  rankOf(severity) >= rankOf(level === null ? 'low' : thresholds[level]);

/** The guardrails that a text of this stage has to pass, in the order of the settings. */
export function guardrailsOf(stage: Stage, settings: GuardrailSettings): Guardrail[] {
  const graded = guardrailCategories.flatMap((category): Guardrail[] => {
    const { value, context } = settings[category];
    return value === 'Off' ? [] : [{ category, level: value, context }];
  });
  const switched = (category: 'jailbreak' | 'prompt_injection'): Guardrail[] =>
    settings[category] ? [{ category, level: null, context: '' }] : [];
  if (stage === 'tool') return switched('prompt_injection');
  if (stage === 'output') return settings.guardrails_scan_output ? graded : [];
  return [...graded, ...switched('jailbreak'), ...switched('prompt_injection')];
}
