import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { ModelMessage } from '../../drivers/models/driver.ts';
import type { Keyring } from '../keyring/service.ts';
import type { AnonymizedRequest } from '../model-calls/ports.ts';

export type StoredPrompts = ReturnType<typeof makeStoredPrompts>;

/** A prompt as it is shown. */
export interface Prompt {
  system: string;
  messages: unknown[];
  tools: string[];
  settings: Record<string, unknown>;
  /** How many of the oldest messages were left out, for it was too long to keep. */
  left_out: number;
}

export interface StoredPrompt {
  call_id: string;
  workspace_id: string;
  conversation_id: string;
  run_id: string;
  request: AnonymizedRequest;
}

export const promptPurpose = (call_id: string) => `prompt\0${call_id}`;

const [shrink, grow] = [promisify(deflateRaw), promisify(inflateRaw)];
const mostCharacters = 200_000;

/** Of files only what they are: their bytes are in the conversation. */
const withoutBytes = (message: ModelMessage) =>
  message.role === 'user'
    ? {
        ...message,
        parts: message.parts.map((part) =>
          part.type === 'file'
            ? { type: part.type, media_type: part.media_type, filename: part.filename, bytes: part.data.length }
            : part,
        ),
      }
    : message;

/** The newest messages that there is room for. */
function shown({ system, messages, tools, model: _, ...settings }: AnonymizedRequest): Prompt {
  const texts = messages.map(withoutBytes);
  let room = mostCharacters;
  let first = texts.length;
  while (first > 0) {
    room -= JSON.stringify(texts[first - 1]).length;
    if (room < 0) break;
    first -= 1;
  }
  return {
    system: system.slice(0, mostCharacters),
    messages: texts.slice(first),
    tools: tools.map(({ name }) => name),
    settings,
    left_out: first,
  };
}

/** What models were told in runs: kept sealed, with what the anonymizer hid still hidden. */
export function makeStoredPrompts({ db, keyring }: { db: Database; keyring: Keyring }) {
  return {
    async keep(prompts: readonly StoredPrompt[]): Promise<void> {
      const rows = await Promise.all(
        prompts.map(async ({ request, ...row }) => {
          const small = await shrink(JSON.stringify(shown(request)), { level: 1 });
          const sealed = await keyring.seal(row.workspace_id, promptPurpose(row.call_id), small.toString('base64'));
          return { ...row, sealed };
        }),
      );
      await db.run(sql`
        insert into call_prompts (workspace_id, call_id, conversation_id, run_id, sealed)
        select own.workspace_id, own.call_id, own.conversation_id, own.run_id, own.sealed
        from json_to_recordset(${JSON.stringify(rows)}::json)
          as own (workspace_id uuid, call_id uuid, conversation_id uuid, run_id uuid, sealed text)
        where exists (select 1 from conversations c where c.workspace_id = own.workspace_id and c.id = own.conversation_id)
        on conflict do nothing`);
    },

    /** Of a run, by the calls that they were sent with. */
    async of(workspace_id: string, run_id: string): Promise<Map<string, Prompt>> {
      const rows = await db.rows<{ call_id: string; sealed: string }>(sql`
        select call_id, sealed from call_prompts where workspace_id = ${workspace_id} and run_id = ${run_id}`);
      const opened = rows.map(async ({ call_id, sealed }) => {
        const small = await keyring.open(workspace_id, promptPurpose(call_id), sealed);
        return [call_id, JSON.parse(String(await grow(Buffer.from(small, 'base64')))) as Prompt] as const;
      });
      return new Map(await Promise.all(opened));
    },

    expire: (days: number) =>
      db.run(sql`delete from call_prompts where created_at < now() - make_interval(days => ${days}::int)`),
  };
}
