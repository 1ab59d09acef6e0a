/** The address without scheme, final slash and fragment. */
function plain(text: string): string | undefined {
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`);
  return url ? `${url.host}${url.pathname.replace(/\/$/, '')}${url.search}` : undefined;
}

const written = /(?:https?:\/\/|\b(?=[\w-]+(?:\.[\w-]+)+))[^\s<>"'`()[\]{}]+/gi;

/**
 * The addresses that can be read without sending anything out. An address that the model makes up can carry data in its
 * path, query or host name; only addresses that the user wrote or a search found were there before.
 */
export function makeKnownAddresses() {
  const known = new Set<string>();
  const add = (text: string) => {
    const address = plain(text);
    if (address !== undefined) known.add(address);
  };
  return {
    add,
    /** Adds every address in a text. */
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
