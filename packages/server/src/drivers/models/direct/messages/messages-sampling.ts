import type { LanguageModelV4CallOptions, SharedV4Warning } from '@ai-sdk/provider';
import type { ClaudeTraits } from './claude-models.ts';

type Feature = 'temperature' | 'topK' | 'topP';
type Sampling = Partial<Record<Feature, number | undefined>>;

const warning = (feature: string, details?: string): SharedV4Warning => ({
  type: 'unsupported',
  feature,
  ...(details && { details }),
});

function leaveOut(given: Sampling, features: readonly Feature[], why: (feature: Feature) => string) {
  const left = { ...given };
  const warnings = features
    .filter((feature) => given[feature] !== undefined)
    .map((feature) => {
      left[feature] = undefined;
      return warning(feature, why(feature));
    });
  return { left, warnings };
}

/** The settings that the protocol has no fields for, and a temperature out of its range. */
export function checkSampling(options: LanguageModelV4CallOptions, model: string, traits: ClaudeTraits) {
  const warnings: SharedV4Warning[] = [];
  if (options.frequencyPenalty !== undefined) warnings.push(warning('frequencyPenalty'));
  if (options.presencePenalty !== undefined) warnings.push(warning('presencePenalty'));
  const given: Sampling = { temperature: options.temperature, topK: options.topK, topP: options.topP };
  const { temperature } = given;
  if (temperature !== undefined && temperature > 1) {
    warnings.push(warning('temperature', `${temperature} exceeds anthropic maximum of 1.0. clamped to 1.0`));
    given.temperature = 1;
  } else if (temperature !== undefined && temperature < 0) {
    warnings.push(warning('temperature', `${temperature} is below anthropic minimum of 0. clamped to 0`));
    given.temperature = 0;
  }
  if (options.responseFormat?.type === 'json' && !options.responseFormat.schema)
    warnings.push(warning('responseFormat', 'JSON response format requires a schema. The response format is ignored.'));
  if (traits.takes_sampling) return { sampling: given, warnings, refused: [] };
  const refused = leaveOut(
    given,
    ['temperature', 'topK', 'topP'],
    (feature) => `${feature} is not supported by ${model} and will be ignored`,
  );
  return { sampling: refused.left, warnings, refused: refused.warnings };
}

/** What is left of the settings beside thinking; without it, Claude models take one of temperature and top_p. */
export function fitSampling(given: Sampling, { thinks, is_claude }: { thinks: boolean; is_claude: boolean }) {
  if (thinks)
    return leaveOut(
      given,
      ['temperature', 'topK', 'topP'],
      (feature) => `${feature} is not supported when thinking is enabled`,
    );
  const both = is_claude && given.topP !== undefined && given.temperature !== undefined;
  return leaveOut(given, both ? ['topP'] : [], () => 'topP is not supported when temperature is set. topP is ignored.');
}
