import { safeHref } from './safe-href.ts';

/**
 * The host that a text names as an address, with or without its protocol. It is read letter by letter as it is seen:
 * `bank.example@evil.example` and letters that change the direction of writing name none.
 */
const hostOf = (text: string): string | undefined =>
  /^(?:https?:\/\/)?([^\s\p{Cf}/\\?#@]+)(?:[/?#][^\s\p{Cf}]*)?$/iu.exec(text)?.[1]?.toLowerCase();

/**
 * The host that a link names beside its text, so that readers see where it leads. Undefined for paths of our own, mail,
 * and texts that are the address themselves. Hosts in other scripts are in the form of DNS (`xn--…`), which can not
 * imitate another name.
 */
export function shownHost(href: string, text: string, origin: string): string | undefined {
  const target = safeHref(href, origin);
  if (!target || target.own) return undefined;
  const { protocol, host } = new URL(target.href);
  if (protocol === 'mailto:') return undefined;
  return hostOf(text.trim()) === host ? undefined : host;
}
