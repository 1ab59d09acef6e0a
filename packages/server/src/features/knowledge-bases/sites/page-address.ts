/** Query parameters that only track where a visitor came from. */
const tracking = /^(?:utm_\w+|gclid|fbclid|mc_[ce]id)$/i;
const longest = 2000;

/** The canonical address of a page, without fragment and tracking parameters; undefined if it can't be crawled. */
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

/** The same host and port; `www.` and the scheme make no difference. */
export const isSameSite = (address: string, other: string): boolean => siteOf(address) === siteOf(other);

/** Files that hold no text; they are not requested. */
const noText =
  /\.(?:png|jpe?g|gif|webp|svg|ico|bmp|css|js|mjs|map|woff2?|ttf|eot|mp[34]|avi|mov|webm|ogg|wav|zip|gz|tar|7z|rar|exe|dmg|iso)$/i;
export const mayHoldText = (address: string): boolean => !noText.test(new URL(address).pathname);

/** The name of a page without a title. */
export function nameOfAddress(address: string): string {
  const { hostname, pathname, search } = new URL(address);
  return `${hostname}${pathname === '/' ? '' : pathname}${search}`.slice(0, 500);
}
