import { promisify } from 'node:util';
import { deflateRaw, deflateRawSync, inflateRaw } from 'node:zlib';
import type { Database } from '../../db/database.ts';
import type { ModelMessage } from '../../drivers/models/driver.ts';
import { omit } from '../../lib/omit.ts';
import type { Keyring } from '../keyring/service.ts';
import type { AnonymizedRequest, StoredPrompt } from '../model-calls/ports.ts';
import type { KeptPrompt, StoredPrompts } from './ports.ts';
import * as store from './store.ts';

export const promptPurpose = (call_id: string) => `prompt\0${call_id}`;

const [compress, decompress] = [promisify(deflateRaw), promisify(inflateRaw)];
const maxCharacters = 200_000;
/** Shorter texts are compressed at once: another thread and tables of full size cost more than their compression. */
const shortText = 16_000;
const smallTables = { level: 1, windowBits: 12, memLevel: 5 };

const compressText = (text: string): Buffer | Promise<Buffer> =>
  text.length <= shortText ? deflateRawSync(text, smallTables) : compress(text, { level: 1 });

/** Files are described by name and size; their bytes are in the conversation. */
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

/** All of a prompt. */
const wholePrompt = (request: AnonymizedRequest) => ({
  system: request.system,
  messages: request.messages.map(withoutBytes),
  tools: request.tools.map(({ name }) => name),
  settings: omit(request, ['system', 'messages', 'tools', 'model']),
  left_out: 0,
  tool_definitions: request.tools,
});

/** A prompt with the newest messages that there is room for. */
function shortenPrompt(request: AnonymizedRequest): KeptPrompt {
  const { tool_definitions, ...whole } = wholePrompt(request);
  const texts = whole.messages;
  let room = maxCharacters;
  let first = texts.length;
  while (first > 0) {
    room -= JSON.stringify(texts[first - 1]).length;
    if (room < 0) break;
    first -= 1;
  }
  return {
    ...whole,
    system: whole.system.slice(0, maxCharacters),
    messages: texts.slice(first),
    left_out: first,
    ...(JSON.stringify(tool_definitions).length <= maxCharacters && { tool_definitions }),
  };
}

function promptText({ request, answer, error }: Pick<StoredPrompt, 'request' | 'answer' | 'error'>): string {
  const whole: KeptPrompt = { ...wholePrompt(request), answer, error };
  const text = JSON.stringify(whole);
  if (text.length <= maxCharacters) return text;
  const shortened: KeptPrompt = { ...shortenPrompt(request), answer: answer.slice(0, maxCharacters), error };
  return JSON.stringify(shortened);
}

/** Keeps the prompts of runs for their traces: encrypted, and with placeholders for private values, as they were sent. */
export function makeStoredPrompts(deps: {
  db: Database;
  keyring: Keyring;
  /** Counts what is stored in a workspace. */
  countBytes(workspace_id: string, bytes: number): void;
}): StoredPrompts {
  const { db, keyring } = deps;
  return {
    async keep(prompts) {
      const rows = await Promise.all(
        prompts.map(async ({ request, answer, error, ...row }) => {
          const compressed = await compressText(promptText({ request, answer, error }));
          const purpose = promptPurpose(row.call_id);
          return { ...row, sealed: await keyring.seal(row.workspace_id, purpose, compressed.toString('base64')) };
        }),
      );
      for (const { workspace_id, sealed } of rows) deps.countBytes(workspace_id, sealed.length);
      await store.insertPrompts(db.grouped, rows);
    },

    listIds: async (workspace_id, run_id) => new Set(await store.listPromptIds(db, workspace_id, run_id)),

    async read(workspace_id, run_id, call_ids) {
      const rows = await store.listPrompts(db, workspace_id, run_id, call_ids);
      const opened = rows.map(async ({ call_id, sealed }) => {
        const compressed = await keyring.open(workspace_id, promptPurpose(call_id), sealed);
        const prompt: KeptPrompt = JSON.parse(String(await decompress(Buffer.from(compressed, 'base64'))));
        return [call_id, prompt] as const;
      });
      return new Map(await Promise.all(opened));
    },

    async expire(days) {
      await store.deleteOldPrompts(db, days);
    },
  };
}
