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
  /** The newest address of each host that stood alone in a message. */
  const alone = new Map<string, string>();
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
    /** Adds the addresses in a message of the user. Messages come in their order. */
    addMessage(text: string): void {
      this.addFrom(text);
      const addresses = [...text.matchAll(written)].map(([found]) => plain(found.replace(/[.,;:!?]+$/, '')));
      const [only, ...others] = new Set(addresses);
      if (only !== undefined && others.length === 0) alone.set(only.replace(/[/?].*$/s, ''), only);
    },
    /**
     * Whether the user asked for this very address. Which address of a list or of a search is read can spell out data; of
     * one that stands alone there is nothing to choose.
     */
    isOnlyChoice(text: string): boolean {
      const address = plain(text);
      return address !== undefined && [...alone.values()].includes(address);
    },
    has(text: string): boolean {
      const address = plain(text);
      return address !== undefined && known.has(address);
    },
  };
}
