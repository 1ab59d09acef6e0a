/** `{{name}}` or `{{secret.NAME}}`, with or without spaces inside. */
const template = /\{\{([^{}]{1,250})\}\}/g;
const handleStart = 'secret.';

export const secretHandle = (name: string) => `{{${handleStart}${name}}}`;

/** What stands between the braces. */
interface Named {
  name: string;
  is_handle: boolean;
}

function namedIn(inside: string): Named {
  const text = inside.trim();
  return text.startsWith(handleStart)
    ? { name: text.slice(handleStart.length), is_handle: true }
    : { name: text, is_handle: false };
}

/** Everything in a value that holds texts, texts replaced: a list stays a list, an object keeps its keys. */
export const mapTexts = <T>(value: T, change: (text: string) => string): T => mapAll(value, change) as T;

function mapAll(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapAll(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapAll(item, change)]));
}

/** Looks at every text in a value that has braces. Most runs have none, so nothing is built on the way. */
function eachTemplated(value: unknown, look: (text: string) => void): void {
  if (typeof value === 'string') {
    if (value.includes('{{')) look(value);
  } else if (Array.isArray(value)) {
    for (const item of value) eachTemplated(item, look);
  } else if (typeof value === 'object' && value !== null) {
    for (const key in value) eachTemplated((value as Record<string, unknown>)[key], look);
  }
}

/** The names that a value uses, as plain ones and as handles. */
export function namesIn(value: unknown): { plain: Set<string>; handles: Set<string> } {
  const found = { plain: new Set<string>(), handles: new Set<string>() };
  eachTemplated(value, (text) => {
    for (const [, inside = ''] of text.matchAll(template)) {
      const { name, is_handle } = namedIn(inside);
      (is_handle ? found.handles : found.plain).add(name);
    }
  });
  return found;
}

const upToHost = /^(?:https?:\/\/)?(?:\{\{[^{}]{1,250}\}\}|[^/?#\\])*/i;

/** The names by which addresses in a value say whom they lead to. */
export function templateNamesInHosts(value: unknown): Set<string> {
  const hosts: string[] = [];
  const look = (one: unknown): void => {
    if (typeof one !== 'object' || one === null) return;
    for (const [key, item] of Object.entries(one)) {
      if (key === 'url' && typeof item === 'string') hosts.push(upToHost.exec(item)?.[0] ?? '');
      else look(item);
    }
  };
  look(value);
  return namesIn(hosts).plain;
}

/** Where the handles in a text begin and end. */
export const findSecretHandles = (text: string): [number, number][] =>
  [...text.matchAll(template)].flatMap(({ 0: whole, 1: inside = '', index }) =>
    namedIn(inside).is_handle ? [[index, index + whole.length]] : [],
  );

/** Fills in the templates of a value; a template without a text stays as it is. */
export const fillTemplates = <T>(value: T, textFor: (named: Named) => string | undefined): T =>
  mapTexts(value, (text) =>
    text.includes('{{') ? text.replaceAll(template, (whole, inside) => textFor(namedIn(inside)) ?? whole) : text,
  );

/** A value must not become a handle by being filled in, nor the beginning of one that the value after it completes. */
export const breakSecretHandles = (text: string) => text.replaceAll(/\{(?=\{\s*secret\.|\{[^{}]*$|$)/g, '{ ');
export { grantedVariables } from './granted-variables.ts';
