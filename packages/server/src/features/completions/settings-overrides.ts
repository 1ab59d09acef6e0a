import type { CompletionRequest } from '@atrium/contract/completions/schema.ts';
import { effectiveSettings, type SparseSettings } from '@atrium/contract/settings/settings.ts';
import { requestSettings } from '../runs/service.ts';

const samplingKeys = ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty'] as const;

/** The newer name of `max_tokens` wins. */
export const askedMaxTokens = (body: CompletionRequest) => body.max_completion_tokens ?? body.max_tokens;

/**
 * The settings of the request's conversation, over the agent's. Only sampling parameters and limits that make an answer
 * shorter: every key with agents_run may set these.
 */
export function readSettingsOverrides(agent: SparseSettings, body: CompletionRequest): SparseSettings {
  const own = effectiveSettings(agent);
  const settings: SparseSettings = {};
  const asked = samplingKeys.filter((name) => body[name] !== undefined);
  if (asked.length && own.parameter_preset !== 'default') {
    // A preset would replace the numbers of the request, so its values are copied and the preset is left.
    const { temperature, top_p, top_k, presence_penalty, frequency_penalty } = requestSettings(own);
    const preset = { temperature, top_p, top_k, presence_penalty, frequency_penalty };
    Object.assign(settings, preset, { parameter_preset: 'default' });
  }
  for (const name of asked) Object.assign(settings, { [name]: body[name] });
  const max_tokens = askedMaxTokens(body);
  // A number above the agent's limit gets a warning and no error: clients send large numbers by habit.
  if (max_tokens !== undefined && max_tokens < own.max_tokens) settings.max_tokens = max_tokens;
  if (body.stop) settings.stop_sequences = body.stop;
  return settings;
}
