import type { CoveredText, Stretch } from '../../lib/text/covered-text.ts';

/** Replaces personal data in a text by placeholders. */
export interface AnonymizeText {
  (text: string): Promise<string>;
  /** The same for a text that may be JSON, which is read as such, since escapes split values. */
  json(text: string): Promise<string>;
}

/** The ways in which the texts of a request are anonymized. */
export interface RequestAnonymizer extends AnonymizeText {
  /** Replaces values only in these stretches of a text; the rest is read as their context. */
  within(text: string, covered: readonly Stretch[]): Promise<CoveredText>;
  /** For what the model has said itself: names that it wrote as placeholders are found in code and addresses too. */
  readonly said: AnonymizeText;
}

/** Anonymizes everything in a JSON value. */
export async function anonymizeValue(value: unknown, hide: AnonymizeText): Promise<unknown> {
  const json = JSON.stringify(value);
  if (json === undefined) return value;
  // A lone text or number is not JSON to its reader.
  if (typeof value !== 'object') return typeof value === 'string' ? hide(value) : hideLone(json, value, hide);
  const hidden = await hide.json(json);
  return hidden === json ? value : JSON.parse(hidden);
}

async function hideLone(json: string, value: unknown, hide: AnonymizeText): Promise<unknown> {
  const hidden = await hide(json);
  return hidden === json ? value : hidden;
}
