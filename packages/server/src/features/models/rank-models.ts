import type { ModelInfo, Preset } from '@atrium/contract/models/schema.ts';

export type Preference = 'cost' | 'speed' | 'quality';
export const presetNames = ['cost', 'balanced', 'quality', 'speed'] as const;
export type PresetName = (typeof presetNames)[number];

/** The most models of a preset. */
const max_models = 3;
/** Models below this quality are left out unless there are no others. */
const usable = 4;

/** A typical step reads three times what it writes. An unknown price counts as high. */
const blended = ({ price }: ModelInfo) => (price ? (3 * price.input + price.output) / 4 : 1e6);

const goodness: Record<PresetName, (model: ModelInfo) => number> = {
  cost: (model) => -blended(model),
  quality: ({ quality }) => quality,
  speed: ({ speed }) => speed,
  // A point of quality is worth a doubling of the price.
  balanced: (model) => model.quality + model.speed / 2 - Math.log2(1 + blended(model)),
};

/** The configured models, best first. Equals are sorted by price, then quality, then their given order. */
export function ranked(models: readonly ModelInfo[], by: PresetName): ModelInfo[] {
  const llms = models.filter(({ kind, tools }) => kind === 'llm' && tools);
  const good = llms.filter(({ quality }) => quality >= usable);
  return (good.length ? good : llms)
    .toSorted((a, b) => goodness[by](b) - goodness[by](a) || blended(a) - blended(b) || b.quality - a.quality)
    .slice(0, max_models);
}

export const presetLabels: Record<PresetName, Pick<Preset, 'label' | 'description'>> = {
  cost: { label: 'Low cost', description: 'The least expensive of the configured models' },
  balanced: { label: 'Balanced', description: 'Good answers at a fair price and speed' },
  quality: { label: 'Best quality', description: 'The most capable of the configured models' },
  speed: { label: 'Fastest', description: 'The models that answer soonest' },
};

export const isPresetName = (name: string): name is PresetName => presetNames.some((preset) => preset === name);
