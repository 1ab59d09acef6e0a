/** An address without what makes no difference: the scheme, a last slash, the place in the page. */
function plain(text: string): string | undefined {
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`);
  return url ? `${url.host}${url.pathname.replace(/\/$/, '')}${url.search}` : undefined;
}

const written = /(?:https?:\/\/|\b(?=[\w-]+(?:\.[\w-]+)+))[^\s<>"'`()[\]{}]+/gi;

/**
 * The addresses that a model may have read without anything going out. One that it makes up can carry what it knows: in
 * its path, in its query, in the name of its host. Only what the user has written, and what a search has found, was there
 * before.
 */
export function makeKnownAddresses() {
  const known = new Set<string>();
  const add = (text: string) => {
    const address = plain(text);
    if (address !== undefined) known.add(address);
  };
  return {
    add,
    /** Every address in a text. */
    addFrom(text: string): void {
      for (const [found] of text.matchAll(written)) {
        add(found);
        add(found.replace(/[.,;:!?]+$/, ''));
      }
    },
    has(text: string): boolean {
      const address = plain(text);
      return address !== undefined && known.has(address);
    },
  };
}
