/** Secrets of links stand behind the #, which browsers do not send. They are read once and taken out of the address. */
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

/** Called before anything else of the page runs. */
export function takeFragmentTokens(): void {
  const { tokens, rest } = readFragment(location.hash);
  if (Object.keys(tokens).length === 0) return;
  found = tokens;
  history.replaceState(history.state, '', location.pathname + location.search + (rest && `#${rest}`));
}

export const fragmentToken = (name: Name): string | undefined => found[name];
/** A token that was used works no more. */
export const forgetFragmentTokens = () => {
  found = {};
};
