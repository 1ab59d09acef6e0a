import { LruCache } from '../lru-cache.ts';

const template = String.raw`\{\{\s*[\w.-]+\s*\}\}`;
const onlyTemplate = new RegExp(`^(?:(?:Bearer|Basic|Token|ApiKey)\\s+)?${template}$`, 'i');
/** Holds no secret: empty, or a template that names one. */
export const isOpen = (value: string) => value === '' || onlyTemplate.test(value);

const keyNames =
  'access|account|api|app|auth|client|functions|integration|license|master|private|routing|service|shared|signing|subscription';
const secretName = new RegExp(
  `(?:^|_)(?:auth|authorization|pass|passwd|password|pwd|secret|token|(?:${keyNames})_?key|credentials?|signature|sig|cookie|jwt)$`,
);
const snake = (name: string) =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z\d]+/g, '_')
    .toLowerCase();
/** Names of settings come again with every conversation; long ones come from callers and would fill the memory. */
const answers = new LruCache<string, boolean>({ max: 2000 });
const longestKnown = 60;
/** Whether what goes by this name is meant for few eyes. */
export function namesSecret(name: string): boolean {
  const known = answers.get(name);
  if (known !== undefined) return known;
  const answer = secretName.test(snake(name));
  if (name.length <= longestKnown) answers.set(name, answer);
  return answer;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether the name of a parameter or field says that its value is a credential. */
export const namesCredential = (name: string) => namesSecret(name) || /^(?:key|code)$/i.test(name);

/** Parameters with those that look like keys taken out, or their values covered. */
function openParameters(text: string, cover: string | undefined): string {
  const parameters = text.split('&').flatMap((parameter) => {
    const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(parameter) ?? [];
    if (isOpen(decoded(value)) || !namesCredential(decoded(name))) return [parameter];
    return cover === undefined ? [] : [`${name}=${cover}`];
  });
  return parameters.join('&');
}

function withoutCredentials(url: string, cover: string | undefined): string {
  const anonymous = url.replace(/^([a-z][a-z\d+.-]*:\/\/)([^/?#\\]*)@/i, (whole, scheme: string, user: string) =>
    user.split(':').every(isOpen) ? whole : `${scheme}${cover === undefined ? '' : `${cover}@`}`,
  );
  const [, path = '', query = '', fragment = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(anonymous) ?? [];
  const kept = (part: string) => {
    const parameters = openParameters(part.slice(1), cover);
    return parameters ? part.charAt(0) + parameters : '';
  };
  return path + kept(query) + (fragment.includes('=') ? kept(fragment) : fragment);
}

/** An address without user, password and those parameters that look like keys. */
export const removeUrlCredentials = (url: string): string => withoutCredentials(url, undefined);

/** What covers a credential in an answer. */
export const mask = '********';

/** Letters of both cases and digits, or as many hexadecimal digits as keys have. Ids with dashes are no credentials. */
const isRandom = (part: string) =>
  /^(?=.*\d)(?=.*[a-f])[\da-f]{32,}$/i.test(part) ||
  (/^[\w:.~-]{20,}$/.test(part) && [/[a-z]/, /[A-Z]/, /\d/].every((kind) => kind.test(part)));

/** An address with its credentials covered: user, password, parameters, and long random parts of the path. */
export function maskUrl(url: string): string {
  const covered = withoutCredentials(url, mask);
  const [, origin = '', path = '', rest = ''] = /^([a-z][a-z\d+.-]*:\/\/[^/?#]*)?([^?#]*)(.*)$/is.exec(covered) ?? [];
  const open = path.split('/').map((part) => (isRandom(part) ? mask : part));
  return origin + open.join('/') + rest;
}

/** A text of `name=value&…` with credentials covered. */
export const maskForm = (text: string): string => openParameters(text, mask);

export const isUrl = (name: string, value: string) =>
  /(?:^|_)ur[li]$/.test(snake(name)) || /^[a-z][a-z\d+.-]*:\/\/\S*$/i.test(value);
