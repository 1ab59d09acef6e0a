import { promptKeys, type SettingName, type SparseSettings } from '@atrium/contract/settings/settings.ts';

/** Settings whose texts the model takes for instructions. */
const instructing: readonly SettingName[] = [
  ...promptKeys,
  ...(['citation_instructions', 'guidelines', 'glossary', 'memories', 'skills', 'subagents'] as const),
];

/** Whether settings tell the model what to do. */
export const hasInstructions = (settings: SparseSettings | null | undefined): boolean =>
  instructing.some((name) => settings?.[name] !== undefined);
