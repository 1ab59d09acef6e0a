import type { KbSettings } from '@atrium/contract/knowledge-bases/settings/keys.ts';
import type { Anonymization } from '../anonymization/service.ts';
import type { Anonymizer } from '../model-calls/ports.ts';
import { chainAnonymizers, noAnonymizer } from '../model-calls/service.ts';

type PrivacySettings = Pick<KbSettings, 'pii_anonimization'>;

/** How texts of a knowledge base are anonymized before a model gets them. `outer`: the anonymizer of the conversation. */
export interface KbAnonymizers {
  /** For summaries, contexts and questions: placeholders are numbered, and answers are restored. */
  writing(settings: PrivacySettings): Anonymizer;
  /** For documents and questions alike. `outer` comes second: it leaves placeholders without numbers alone. */
  embedding(settings: PrivacySettings, outer?: Anonymizer): Anonymizer;
  /** Numbered, so that a reranker can tell which passage has the value that the question names. */
  reranking(settings: PrivacySettings, outer: Anonymizer): Anonymizer;
  /** The values that a passage must not be cut through. */
  valuesIn(text: string, settings: PrivacySettings): ReturnType<Anonymization['find']>;
}

export const makeKbAnonymizers = (
  privacy: Pick<Anonymization, 'temporaryAnonymizer' | 'unnumberedAnonymizer' | 'find'>,
): KbAnonymizers => ({
  writing: (settings) => privacy.temporaryAnonymizer(settings),
  embedding: (settings, outer = noAnonymizer) => chainAnonymizers(privacy.unnumberedAnonymizer(settings), outer),
  reranking: (settings, outer) => chainAnonymizers(outer, privacy.temporaryAnonymizer(settings)),
  valuesIn: (text, settings) => privacy.find(text, settings),
});
