import { buffer } from 'node:stream/consumers';
import { fromJsonSchema, isModest } from '@atrium/contract/schema/from-json.ts';
import { entries } from '@atrium/contract/settings/entries.ts';
import { z } from 'zod';
import { explainRefusal, type Web, type WebAnswer, WebRefused } from '../../drivers/web/driver.ts';
import { errorCode } from '../../lib/error-code.ts';
import { required } from '../../lib/required.ts';
import type { Tool, ToolProvider, ToolSecrets } from '../tools/ports.ts';
import { defineTool, makeToolNames, ToolError } from '../tools/service.ts';
import { type ActionEntry, originOf, requestOf } from './build-request.ts';
import { namesIn } from './template.ts';

type Entry = ActionEntry & { enabled?: unknown; trusted?: unknown };
/** An entry, and the setting that it is from. */
interface Placed {
  entry: Entry;
  setting: 'actions' | 'tools';
  /** The only hosts that may be reached; none: any. */
  hosts: readonly string[];
}

const mostBytes = 1024 * 1024;
const mostHops = 5;
const readable = /^(?:text\/|application\/(?:[\w.+-]*\+)?(?:json|xml|javascript|x-ndjson)|application\/x-www-form)/i;

/** Codes of errors that come before a connection is there, so that nothing was sent. */
const unsent = /^(?:ENOTFOUND|EAI_|ENODATA|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH)/;

/** A model that reads "it failed" would repeat the request, so the text says that it may have been processed. */
function troubleOf({ code, cause }: WebRefused, message: string): string {
  if (
    code === 'bad_request' ||
    code === 'private_address' ||
    code === 'host_not_allowed' ||
    unsent.test(String(errorCode(cause)))
  )
    return `The request was not made: ${message}`;
  if (code === 'unreachable' || code === 'timeout')
    return `There is no answer to the request, which may or may not have had its effect: ${message}`;
  return `The request was made, but its answer can not be read: ${message}`;
}

/** Without a schema, every slot of the request is an argument of type string. */
function schemaOf({ url, headers, body, input_schema }: Entry): Record<string, unknown> {
  if (isModest(input_schema)) return input_schema;
  const names = [...namesIn([url, headers, body]).arguments];
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  return { type: 'object', properties, required: names };
}

async function read(answer: WebAnswer) {
  const content_type = answer.headers['content-type'] ?? '';
  const bytes = await buffer(answer.body);
  const { status } = answer;
  if (bytes.length > 0 && !readable.test(content_type) && bytes.includes(0))
    return { status, content_type, body: `[${bytes.length} bytes that are no text]` };
  const text = new TextDecoder().decode(bytes);
  if (!/json/i.test(content_type)) return { status, content_type, body: text };
  try {
    return { status, content_type, body: JSON.parse(text) as unknown };
  } catch {
    return { status, content_type, body: text };
  }
}

/** The HTTP requests that settings describe, as tools. */
export function makeActionTools({ web }: { web: Web }): ToolProvider {
  async function send(
    { entry, setting, hosts }: Placed,
    input: Record<string, unknown>,
    signal: AbortSignal,
    reveal: ToolSecrets['reveal'],
  ) {
    const names = [...namesIn([entry.url, entry.headers, entry.body]).secrets];
    // Only secrets that the settings name for this host are revealed; arguments of the model stay as they are.
    const handles = names.map((name) => `{{secret.${name}}}`);
    const values = names.length ? await reveal(handles, { address: originOf(entry.url), setting }) : [];
    const secrets = new Map(names.map((name, at) => [name, required(values[at])]));
    const { url, ...request } = requestOf(entry, input, (name) => secrets.get(name) ?? '');
    const limits = { max_bytes: mostBytes, timeout_ms: 300_000, idle_ms: 120_000, follow: false, hosts, signal };
    let next = url;
    for (let hop = 0; ; hop++) {
      const answer = await web.fetch(next.href, { ...request, ...limits });
      const location = [301, 302, 303, 307, 308].includes(answer.status) && answer.headers['location'];
      const target = location ? URL.parse(location, next.href) : null;
      // The author of the settings has not chosen another host.
      if (!target || target.origin !== next.origin || request.method !== 'GET' || hop === mostHops) return read(answer);
      answer.body.destroy();
      next = target;
    }
  }

  const toolOf = (tool: string, placed: Placed, reveal: ToolSecrets['reveal']): Tool => {
    const { entry } = placed;
    return defineTool({
      tool,
      description: entry.description || `${entry.method ?? 'GET'} request "${entry.name}"`,
      input: fromJsonSchema(schemaOf(entry)),
      output: z.object({ status: z.int(), content_type: z.string(), body: z.unknown() }),
      repeatable: (entry.method ?? 'GET') === 'GET',
      brings: entry.trusted === true ? [] : ['untrusted'],
      sends: true,
      recipient: () => URL.parse(entry.url)?.host || undefined,
      entries: [{ ...entry }],
      async run(scope, input, signal) {
        try {
          return await send(placed, input, signal, reveal);
        } catch (error) {
          if (!(error instanceof WebRefused)) throw error;
          throw new ToolError(troubleOf(error, explainRefusal(error, { ...scope, permission: 'agents_edit' })));
        }
      },
    });
  };

  return async (_, settings, { secrets }) => {
    // Clients also write actions as entries of `tools`.
    const typed = settings.tools
      .filter(({ type }) => type === 'action')
      .flatMap((entry) => entries.actions.safeParse(entry).data ?? []);
    const { allowed_hosts: hosts } = settings;
    const all: Placed[] = [
      ...settings.actions.map((entry) => ({ entry, setting: 'actions' as const, hosts })),
      ...typed.map((entry) => ({ entry, setting: 'tools' as const, hosts })),
    ].filter(({ entry }) => entry.enabled !== false);
    const nameOf = makeToolNames();
    return all.map((placed) => toolOf(nameOf('action', placed.entry.name), placed, secrets.reveal));
  };
}
