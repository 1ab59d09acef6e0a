import { chained, openly, type Veil } from '../models/veil.ts';
import type { Privacy } from '../safety/privacy/privacy.ts';
import type { KbSettings } from './settings/keys.ts';

type PrivacySettings = Pick<KbSettings, 'pii_anonimization'>;

export type KbVeils = ReturnType<typeof makeKbVeils>;

/**
 * How texts of a knowledge base are anonymized before a model gets them. `outer` is what the conversation that asks has
 * anonymized besides.
 */
export const makeKbVeils = (privacy: Pick<Privacy, 'passingVeil' | 'unnumberedVeil' | 'find'>) => ({
  /** Summaries, contexts and questions: placeholders are numbered, and answers come back as users read them. */
  writing: (settings: PrivacySettings): Veil => privacy.passingVeil(settings),

  /** Documents and questions alike. The conversation comes second: it leaves placeholders without numbers alone. */
  embedding: (settings: PrivacySettings, outer: Veil = openly): Veil =>
    chained(privacy.unnumberedVeil(settings), outer),

  /** Numbered, so that a reranker can tell which passage has the value that the question names. */
  reranking: (settings: PrivacySettings, outer: Veil): Veil => chained(outer, privacy.passingVeil(settings)),

  /** Where values stand that no passage may be cut through. */
  valuesIn: (text: string, settings: PrivacySettings) => privacy.find(text, settings),
});
