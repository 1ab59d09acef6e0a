/**
 * Secrets of links stand behind the #, which browsers do not send. They are read once and taken out of the address; this tab
 * keeps them for its page until they are used, so that a reload loses nothing.
 */
const names = ['token', 'second_factor_token'] as const;
type Name = (typeof names)[number];

/** The tokens of a fragment, and the fragment without them. */
export function readFragment(hash: string): { tokens: Partial<Record<Name, string>>; rest: string } {
  const values = new URLSearchParams(hash.replace(/^#/, ''));
  const tokens: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const value = values.get(name);
    if (value) tokens[name] = value;
    values.delete(name);
  }
  return { tokens, rest: Object.keys(tokens).length > 0 ? String(values) : hash.replace(/^#/, '') };
}

let found: Partial<Record<Name, string>> = {};

const keptUnder = () => `atrium.link ${location.pathname}`;
/** The storage may be full, or forbidden: then a reload needs the link again. */
function keep(tokens: typeof found): void {
  try {
    sessionStorage.setItem(keptUnder(), JSON.stringify(tokens));
  } catch {}
}
function readKept(): typeof found {
  try {
    return JSON.parse(sessionStorage.getItem(keptUnder()) ?? '{}');
  } catch {
    return {};
  }
}

/** Called before anything else of the page runs. */
export function takeFragmentTokens(): void {
  const { tokens, rest } = readFragment(location.hash);
  if (Object.keys(tokens).length === 0) {
    found = readKept();
    return;
  }
  found = tokens;
  keep(tokens);
  history.replaceState(history.state, '', location.pathname + location.search + (rest && `#${rest}`));
}

export const fragmentToken = (name: Name): string | undefined => found[name];
/** A token that was used works no more. */
export const forgetFragmentTokens = () => {
  found = {};
  try {
    sessionStorage.removeItem(keptUnder());
  } catch {}
};
