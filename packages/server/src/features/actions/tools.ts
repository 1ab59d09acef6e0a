import { fromJsonSchema } from '@atrium/contract/schema/from-json.ts';
import { entries } from '@atrium/contract/settings/entries.ts';
import { z } from 'zod';
import { explainRefusal, type Web, WebRefused } from '../../drivers/web/driver.ts';
import type { Tool, ToolProvider, ToolSecrets } from '../tools/ports.ts';
import { defineTool, makeToolNames, ToolError } from '../tools/service.ts';
import { type Placed, schemaOf, sendAction, troubleOf } from './send-action.ts';

const time = { timeout_ms: 300_000, idle_ms: 120_000 };

/** The HTTP requests that settings describe, as tools. */
export function makeActionTools({ web }: { web: Web }): ToolProvider {
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
          return await sendAction(web, placed, input, { signal, reveal, time });
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
