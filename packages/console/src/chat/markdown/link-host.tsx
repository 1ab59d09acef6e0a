import { shownHost } from './shown-host.ts';

/** The host of a link in small letters after its text, inside of the link, so that screen readers say it too. */
export function LinkHost({ href, text }: { href: string; text: string }) {
  const host = shownHost(href, text, location.origin);
  return host ? <span className="text-[0.8em] font-normal text-text-3"> ({host})</span> : null;
}
