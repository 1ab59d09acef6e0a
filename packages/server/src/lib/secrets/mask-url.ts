import { isOpen, mask, namesCredential } from './mask-credentials.ts';
import { containsUuid, isTokenLike, looksRandom } from './random-text.ts';

/** Short parts of an address are slugs and ids; longer ones count as secrets when they look generated. */
const random = { length: 16, random: 10 };
const templates = /\{\{[^{}]*\}\}|\(\([^()]*\)\)/g;

export function decodeUrlPart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Parameters with those that are named like keys taken out (or covered), and covered values that look generated. */
export function maskParameters(text: string, cover: string | undefined, separator: '&' | ';' = '&'): string {
  const parameters = text.split(separator).flatMap((parameter) => {
    const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(parameter) ?? [];
    const plain = decodeUrlPart(value);
    if (isOpen(plain)) return [parameter];
    if (namesCredential(decodeUrlPart(name).trim())) return cover === undefined ? [] : [`${name}=${cover}`];
    return looksRandom(plain.replace(templates, ''), random) ? [`${name}=${mask}`] : [parameter];
  });
  return parameters.join(separator);
}

/** After these words of a path, or on such a host, a part that may be a token is one, and so is a UUID. */
const hookNames = '(?:web)?hooks?|webhookb\\d|incoming|catch|invites?|(?:api-?)?keys?|tokens?|secrets?';
const hookWord = new RegExp(`(?:^|[-_.])(?:${hookNames})(?:$|[-_.])`, 'i');
const plainPart = new RegExp(`^(?:${hookNames}|v\\d[\\d.]*)$`, 'i');
const hookHost = /(?:^|[-.])(?:web)?hooks?(?:$|[-.])/i;
/** Services whose addresses end in a token, whatever it looks like. */
const knownHooks = [
  /^hooks\.slack\.com\/(?:services|triggers|workflows)\/[^/]+\/[^/]+\//i,
  /^(?:[\w-]+\.)?discord(?:app)?\.com\/api(?:\/v\d+)?\/webhooks\/\d+\//i,
  /^hooks\.zapier\.com\/hooks\/[^/]+\/\d+\//i,
  /^maker\.ifttt\.com\/(?:[^/]+\/)*key\//i,
  /^(?:[\w-]+\.)*webhook\.office\.com\/[^/]+\//i,
];
const telegramBot = /^bot\d+:/i;
/** Their tokens stand within so many parts. */
const deepestHook = 12;

function isSecretPart(part: string, isHook: boolean): boolean {
  const text = decodeUrlPart(part).replace(templates, '');
  if (looksRandom(text, random) || telegramBot.test(text)) return true;
  return isHook && !plainPart.test(text) && (isTokenLike(text) || containsUuid(text));
}

function maskPath(host: string, path: string): string {
  let [before, isHook] = [`${host}/`, hookHost.test(host)];
  const parts = path.split('/').map((part, index) => {
    if (part === '') return part;
    const isKnown = index <= deepestHook && knownHooks.some((hook) => hook.test(before));
    const isSecret = isSecretPart(part, isHook) || (isKnown && part.replace(templates, '') !== '');
    before += `${part}/`;
    isHook ||= hookWord.test(part);
    if (isSecret) return mask;
    // Matrix parameters: `/path;token=…`.
    return part.includes(';') ? maskParameters(part, mask, ';') : part;
  });
  return parts.join('/');
}

function maskParts(url: string, cover: string | undefined): string {
  const anonymous = url.replace(/^([a-z][a-z\d+.-]*:\/\/)([^/?#\\]*)@/i, (whole, scheme: string, user: string) =>
    user.split(':').every(isOpen) ? whole : `${scheme}${cover === undefined ? '' : `${cover}@`}`,
  );
  const [, place = '', query = '', fragment = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(anonymous) ?? [];
  const [, origin = '', path = ''] = /^([a-z][a-z\d+.-]*:\/\/[^/\\]*)?(.*)$/is.exec(place) ?? [];
  const host = origin.replace(/^.*[/@]/, '');
  const kept = (part: string) => {
    const parameters = maskParameters(part.slice(1), cover);
    return parameters ? part.charAt(0) + parameters : '';
  };
  const open = looksRandom(decodeUrlPart(fragment), random) ? `#${mask}` : fragment;
  // An address without a scheme begins with its host, or with a template of it.
  const shown = origin ? origin + maskPath(host, path) : maskPath('', path);
  return shown + kept(query) + (fragment.includes('=') ? kept(fragment) : open);
}

/**
 * An address without user, password and parameters named like keys. Parts of the path and values that look generated are
 * covered, not removed: the address would lead elsewhere without them.
 */
export const removeUrlCredentials = (url: string): string => maskParts(url, undefined);

/** An address with its credentials covered: user, password, parameters, and parts of the path that look generated. */
export const maskUrl = (url: string): string => maskParts(url, mask);
