import type { WebRequest } from '../../drivers/web/driver.ts';
import { required } from '../../lib/required.ts';
import { ToolError } from '../tools/service.ts';
import { asText, type Fill, filled, namesIn } from './template.ts';

/** A request as settings describe it. */
export interface ActionEntry {
  name: string;
  description?: string | undefined;
  method?: WebRequest['method'] | undefined;
  url: string;
  headers?: Record<string, string> | undefined;
  body?: unknown;
  input_schema?: Record<string, unknown> | undefined;
}

/** The host must be literal: neither an argument nor a secret can change it. */
const fixedHost = /^https?:\/\/[^\s/?#{}\\@]+(?=[/?#]|$)/i;
const climbs = /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i;
const control = /\p{Cc}/u;

const encoded = (value: unknown) => encodeURIComponent(asText(value).toWellFormed());

/** The origin of an address template. */
export function originOf(template: string): string {
  const host = fixedHost.exec(template)?.[0];
  if (!host) throw new ToolError('The address of this action does not name its host outright, so it is not called');
  return host;
}

function addressOf(template: string, fill: Fill): URL {
  const host = originOf(template);
  const text = filled(template, fill, encoded);
  const path = required(text.slice(host.length).split(/[?#]/, 1)[0]);
  if (climbs.test(path)) throw new ToolError('An argument would lead to another path');
  const url = URL.parse(text);
  if (!url || url.origin !== URL.parse(host)?.origin) throw new ToolError('The address of this action is not valid');
  return url;
}

/** A value in JSON text: its characters inside of quotes, elsewhere the serialized value. */
const inJson = (value: unknown, quoted: boolean) =>
  quoted ? JSON.stringify(asText(value)).slice(1, -1) : (JSON.stringify(value) ?? 'null');

/** Fills a body that is data: a string that is a single slot becomes its value, of any type. */
function inData(template: unknown, fill: Fill): unknown {
  if (typeof template === 'string') {
    const only = /^\{\{([^{}]{1,250})\}\}$/.exec(template)?.[1]?.trim();
    if (only !== undefined && !only.startsWith('secret.')) return fill.argument(only);
    return filled(template, fill, asText);
  }
  if (Array.isArray(template)) return template.map((item) => inData(item, fill));
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(Object.entries(template).map(([key, item]) => [key, inData(item, fill)]));
}

function bodyOf(template: unknown, type: string, fill: Fill): string {
  if (typeof template !== 'string') return JSON.stringify(inData(template, fill));
  if (type.includes('x-www-form-urlencoded')) return filled(template, fill, encoded);
  const json = type.includes('json') || /^\s*[[{]/.test(template);
  return filled(template, fill, json ? inJson : asText);
}

/** Builds the request of a call. Arguments without a slot go into the query or the body. */
export function requestOf(
  { method = 'GET', url: template, headers: given = {}, body }: ActionEntry,
  input: Record<string, unknown>,
  secret: Fill['secret'],
): { url: URL; method: NonNullable<WebRequest['method']>; headers: Record<string, string>; body?: string } {
  const fill: Fill = { secret, argument: (name) => (Object.hasOwn(input, name) ? input[name] : undefined) };
  const url = addressOf(template, fill);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    const text = filled(value, fill, asText);
    if (control.test(text)) throw new ToolError(`An argument does not fit into the header ${name}`);
    headers[name.toLowerCase()] = text;
  }
  const placed = namesIn([template, given, body]).arguments;
  const left = Object.entries(input).filter(([name]) => !placed.has(name));
  if (body !== undefined && body !== null) {
    const type = headers['content-type'] ?? '';
    const text = bodyOf(body, type, fill);
    if (!type)
      headers['content-type'] = typeof body === 'string' && !/^\s*[[{]/.test(body) ? 'text/plain' : 'application/json';
    return { url, method, headers, body: text };
  }
  if (method === 'GET' || method === 'DELETE') {
    for (const [name, value] of left)
      if (value !== undefined && value !== null) url.searchParams.append(name, asText(value));
    return { url, method, headers };
  }
  headers['content-type'] ??= 'application/json';
  return { url, method, headers, body: JSON.stringify(Object.fromEntries(left)) };
}
