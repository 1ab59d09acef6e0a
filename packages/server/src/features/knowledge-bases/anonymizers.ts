import type { KbSettings } from '@atrium/contract/knowledge-bases/settings/keys.ts';
import type { Anonymization } from '../anonymization/service.ts';
import type { Anonymizer } from '../model-calls/ports.ts';
import { chainAnonymizers, noAnonymizer } from '../model-calls/service.ts';

type PrivacySettings = Pick<KbSettings, 'pii_anonimization'>;

export type KbAnonymizers = ReturnType<typeof makeKbAnonymizers>;

/**
 * How texts of a knowledge base are anonymized before a model gets them. `outer` is what the conversation that asks has
 * anonymized besides.
 */
export const makeKbAnonymizers = (
  privacy: Pick<Anonymization, 'temporaryAnonymizer' | 'unnumberedAnonymizer' | 'find'>,
) => ({
  /** Summaries, contexts and questions: placeholders are numbered, and answers come back as users read them. */
  writing: (settings: PrivacySettings): Anonymizer => privacy.temporaryAnonymizer(settings),

  /** Documents and questions alike. The conversation comes second: it leaves placeholders without numbers alone. */
  embedding: (settings: PrivacySettings, outer: Anonymizer = noAnonymizer): Anonymizer =>
    chainAnonymizers(privacy.unnumberedAnonymizer(settings), outer),

  /** Numbered, so that a reranker can tell which passage has the value that the question names. */
  reranking: (settings: PrivacySettings, outer: Anonymizer): Anonymizer =>
    chainAnonymizers(outer, privacy.temporaryAnonymizer(settings)),

  /** Where values stand that no passage may be cut through. */
  valuesIn: (text: string, settings: PrivacySettings) => privacy.find(text, settings),
});
