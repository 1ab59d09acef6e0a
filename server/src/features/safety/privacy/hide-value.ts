/** Hides what is private in a text. `context` stands before it and is only looked at. */
export type HideText = (text: string, context?: string) => Promise<string>;

/** The same in everything that a JSON value holds. The name of a field tells what its value may be. */
export async function hideValue(value: unknown, hide: HideText, field?: string): Promise<unknown> {
  const context = field === undefined ? undefined : `${field}: `;
  if (typeof value === 'string') return hide(value, context);
  if (typeof value === 'number' || typeof value === 'bigint') {
    // A number that is somebody's becomes a text: it can't be hidden and stay a number.
    const hidden = await hide(String(value), context);
    return hidden === String(value) ? value : hidden;
  }
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) items.push(await hideValue(item, hide, field));
    return items;
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries: [string, unknown][] = [];
  for (const [key, own] of Object.entries(value)) entries.push([await hide(key), await hideValue(own, hide, key)]);
  return Object.fromEntries(entries);
}

function parsed(text: string): unknown {
  if (!/^\s*[[{"]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Text that may be JSON: read as such, since its escapes would tear what is to be found. */
export async function hideJsonText(text: string, hide: HideText): Promise<string> {
  const value = parsed(text);
  if (value === undefined) return hide(text);
  const before = JSON.stringify(value);
  const after = JSON.stringify(await hideValue(value, hide));
  return before === after ? text : after;
}
