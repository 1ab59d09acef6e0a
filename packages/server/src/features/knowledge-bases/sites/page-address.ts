/** What only says where a reader came from. */
const tracking = /^(?:utm_\w+|gclid|fbclid|mc_[ce]id)$/i;
const longest = 2000;

/** One spelling for one page: no fragment, no traces of campaigns. Undefined: nothing that is crawled. */
export function pageAddress(text: string, base?: string): string | undefined {
  const url = URL.parse(text, base);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:') || url.username || url.password) return undefined;
  url.hash = '';
  for (const name of [...url.searchParams.keys()]) if (tracking.test(name)) url.searchParams.delete(name);
  return url.href.length > longest ? undefined : url.href;
}

const siteOf = (address: string) => {
  const { hostname, port } = new URL(address);
  return `${hostname.replace(/^www\./, '')}:${port}`;
};

/** The same host and port; `www.` before it, and whether it is encrypted, make no difference. */
export const isSameSite = (one: string, other: string): boolean => siteOf(one) === siteOf(other);

/** What never holds text: not even asked for. */
const noText =
  /\.(?:png|jpe?g|gif|webp|svg|ico|bmp|css|js|mjs|map|woff2?|ttf|eot|mp[34]|avi|mov|webm|ogg|wav|zip|gz|tar|7z|rar|exe|dmg|iso)$/i;
export const mayHoldText = (address: string): boolean => !noText.test(new URL(address).pathname);

/** What a page is called that does not say it itself. */
export function nameOfAddress(address: string): string {
  const { hostname, pathname, search } = new URL(address);
  return `${hostname}${pathname === '/' ? '' : pathname}${search}`.slice(0, 500);
}
