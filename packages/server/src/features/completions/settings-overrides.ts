import type { CompletionRequest } from '@atrium/contract/completions/schema.ts';
import { effectiveSettings, type SparseSettings } from '@atrium/contract/settings/settings.ts';
import { requestSettings } from '../runs/models/request-settings.ts';

const samplingKeys = ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty'] as const;

/**
 * The settings of this one conversation: what the request says over what the agent has. Only what changes how the model
 * samples, and what makes an answer shorter: every key with agents_run may set these.
 */
export function readSettingsOverrides(agent: SparseSettings, body: CompletionRequest): SparseSettings {
  const own = effectiveSettings(agent);
  const settings: SparseSettings = {};
  const asked = samplingKeys.filter((name) => body[name] !== undefined);
  if (asked.length && own.parameter_preset !== 'default') {
    // A preset would replace the numbers sent; what the request leaves out stays as the preset has it.
    const { temperature, top_p, top_k, presence_penalty, frequency_penalty } = requestSettings(own);
    const preset = { temperature, top_p, top_k, presence_penalty, frequency_penalty };
    Object.assign(settings, preset, { parameter_preset: 'default' });
  }
  for (const name of asked) Object.assign(settings, { [name]: body[name] });
  const max_tokens = body.max_completion_tokens ?? body.max_tokens;
  // More than the agent's is not refused: clients send large numbers by habit, and get what the agent has.
  if (max_tokens !== undefined && max_tokens < own.max_tokens) settings.max_tokens = max_tokens;
  if (body.stop) settings.stop_sequences = body.stop;
  return settings;
}
