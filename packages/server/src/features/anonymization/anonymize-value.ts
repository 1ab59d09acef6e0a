/** Hides what is private in a text. */
export interface AnonymizeText {
  (text: string): Promise<string>;
  /** The same in a text that may be JSON: read as such, since its escapes would tear what is to be found. */
  json(text: string): Promise<string>;
}

/** The same in everything that a JSON value holds. */
export async function anonymizeValue(value: unknown, hide: AnonymizeText): Promise<unknown> {
  const json = JSON.stringify(value);
  if (json === undefined) return value;
  // A text or a number alone is no JSON to those who read it.
  if (typeof value !== 'object') return typeof value === 'string' ? hide(value) : hideLone(json, value, hide);
  const hidden = await hide.json(json);
  return hidden === json ? value : JSON.parse(hidden);
}

async function hideLone(json: string, value: unknown, hide: AnonymizeText): Promise<unknown> {
  const hidden = await hide(json);
  return hidden === json ? value : hidden;
}
