import { effectiveSettings, type Settings } from '@atrium/contract/settings/settings.ts';
import type { ModelRequest } from '../../../drivers/models/driver.ts';

type Sampling = Pick<ModelRequest, 'temperature' | 'top_p' | 'top_k' | 'presence_penalty' | 'frequency_penalty'>;

const presets: Record<Exclude<Settings['parameter_preset'], 'default'>, Sampling> = {
  precise: { temperature: 0.1, top_p: 0.9, top_k: 20, presence_penalty: 0, frequency_penalty: 0 },
  balanced: { temperature: 0.7, top_p: 1, top_k: 40, presence_penalty: 0, frequency_penalty: 0 },
  creative: { temperature: 1.1, top_p: 1, top_k: 100, presence_penalty: 0.4, frequency_penalty: 0.4 },
};

const sampled = ['temperature', 'top_p', 'top_k', 'presence_penalty', 'frequency_penalty'] as const;
const usual = effectiveSettings({});

const efforts = { Low: 'low', Medium: 'medium', High: 'high' } as const;

/** The settings with their default values. */
function unaskedSettings(settings: Settings): string[] {
  const unchanged = (name: keyof Settings) => settings[name] === usual[name];
  return [
    ...(settings.parameter_preset === 'default' ? sampled.filter(unchanged) : []),
    ...(unchanged('max_tokens') ? ['max_tokens'] : []),
    ...(unchanged('enable_reasoning') && unchanged('reasoning_effort') ? ['reasoning_effort'] : []),
  ];
}

/** The part of a request that comes from the settings alone. A preset replaces the sampling numbers. */
export function requestSettings(settings: Settings): Omit<ModelRequest, 'model' | 'system' | 'messages' | 'tools'> {
  const sampling = settings.parameter_preset === 'default' ? settings : presets[settings.parameter_preset];
  return {
    temperature: sampling.temperature,
    top_p: sampling.top_p,
    top_k: sampling.top_k,
    presence_penalty: sampling.presence_penalty,
    frequency_penalty: sampling.frequency_penalty,
    unasked: unaskedSettings(settings),
    max_tokens: settings.max_tokens,
    stop_sequences: settings.stop_sequences,
    stop_origin: 'operator',
    reasoning: settings.enable_reasoning ? efforts[settings.reasoning_effort] : 'off',
    cache: settings.enable_prompt_caching,
    parallel_tool_calls: settings.parallel_tool_calls,
  };
}
