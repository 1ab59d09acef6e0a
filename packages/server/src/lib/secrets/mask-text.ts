import { isOpen, mask, namesSecret } from './mask-credentials.ts';
import { maskParameters, maskUrl } from './mask-url.ts';
import { isTokenLike, looksRandom } from './random-text.ts';

/** Embedded data is no token; addresses have rules of their own. */
const embedded = /(\bdata:[\w/+.-]{1,100};base64,[\w+/=-]+)|(\b[a-z][a-z\d+.-]{1,20}:\/\/[^\s"'<>`\\]+)/gi;

/** Secrets by the formats of their issuers. */
const issued = [
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]*(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?/g,
  /\beyJ[\w-]{8,2000}\.[\w-]{8,2000}\.[\w-]{4,}/g,
  /\b(?:sk|pk|rk)[-_](?:live|test|proj|ant|or)[-_][\w-]{12,}/g,
  /\b(?:ghp|gho|ghu|ghs|ghr|github_pat|glpat|xox[abeprs]|xapp|hf|npm|pypi|dop_v1|shpat|hvs|whsec|atr)[-_.][\w+/=-]{10,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bAIza[\w-]{30,}/g,
];
const scheme = /\b(Bearer|Basic|Token|ApiKey)(\s{1,3})([\w.~+/=-]{8,})/gi;
const header =
  /\b((?:proxy-)?authorization|(?:set-)?cookie|x-[\w-]{0,40}(?:key|token|secret))(["']?\s{0,3}[:=]\s{0,3}["']?)([^\s"',;{}]{6,})/gi;
const parameter = /(^|[^\w.-])([\w.-]{2,60})=([^\s;&"'{}()]{4,})/g;
const words = /[\w+-]{20,}={0,2}/g;

function maskWords(text: string): string {
  let shown = text;
  for (const format of issued) shown = shown.replace(format, mask);
  return shown
    .replace(header, (whole, name: string, between: string, value: string) =>
      isTokenLike(value) ? name + between + mask : whole,
    )
    .replace(scheme, (whole, name: string, space: string, value: string) =>
      isTokenLike(value) ? name + space + mask : whole,
    )
    .replace(parameter, (whole, start: string, name: string, value: string) =>
      namesSecret(name) && isTokenLike(value) ? `${start}${name}=${mask}` : whole,
    )
    .replace(words, (word) => (looksRandom(word, { length: 20, random: 12 }) ? mask : word));
}

/**
 * Covers the secrets in a text for people, models or programs: those in addresses, those that have the format of an
 * issuer or stand behind `Bearer`, and long texts that look generated. Words stay.
 */
export function maskText(text: string): string {
  let [shown, from] = ['', 0];
  for (const found of text.matchAll(embedded)) {
    const [whole, data] = found;
    shown += maskWords(text.slice(from, found.index)) + (data ?? maskUrl(whole));
    from = found.index + whole.length;
  }
  return shown + maskWords(text.slice(from));
}

/** Masks a text of `name=value` parts, as forms and connection strings are; undefined when it is none. */
export function maskPairs(text: string): string | undefined {
  if (/^[\w.%+-]+=[^\s]*$/.test(text)) return maskParameters(text, mask);
  const parts = text.split(';').filter((part) => part.trim() !== '');
  const isConnection = parts.length > 1 && parts.every((part) => /^\s*[\w .-]{1,40}=/.test(part));
  return isConnection ? maskParameters(text, mask, ';') : undefined;
}

const jsonField = /("([\w.-]{1,100})"\s*:\s*)"((?:[^"\\]|\\.)*)"/g;
const xmlElement = /(<([\w.:-]{1,60})(?:\s[^<>]{0,200})?>)([^<>]{1,2000})(?=<\/)/g;

/** Covers the fields of JSON or XML that are named like credentials, where the text can't be parsed. */
export function maskFields(text: string, isSecret: (name: string) => boolean): string {
  const cover = (whole: string, start: string, name: string, value: string, end = '') =>
    isSecret(name) && !isOpen(value) ? start + end + mask + end : whole;
  return text
    .replace(jsonField, (whole, start: string, name: string, value: string) => cover(whole, start, name, value, '"'))
    .replace(xmlElement, (whole, start: string, name: string, value: string) => cover(whole, start, name, value));
}
