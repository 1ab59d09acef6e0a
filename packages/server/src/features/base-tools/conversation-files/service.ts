import type { Readable } from 'node:stream';
import type { ConversationFile, FileListQuery } from '@atrium/contract/conversation-files/schema.ts';
import { notFound } from '@atrium/contract/errors.ts';
import type { File } from '@atrium/contract/files/schema.ts';
import { type Paged, pageAnswer, pageOf } from '@atrium/contract/page.ts';
import type { Settings } from '@atrium/contract/settings/settings.ts';
import type { ToolFile } from '@atrium/contract/tools/tool-result.ts';
import type { Database } from '../../../db/database.ts';
import { parseStored } from '../../../lib/json/parse-stored.ts';
import { omit } from '../../../lib/omit.ts';
import { required } from '../../../lib/required.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { Transcript } from '../../conversations/ports.ts';
import type { Files } from '../../files/service.ts';
import type { MessagePart } from '../../messages/ports.ts';
import type { ToolContext } from '../../tools/ports.ts';
import * as store from './store.ts';
import { uniqueNames } from './unique-names.ts';

export interface ConversationFiles {
  list(scope: Scope, conversation_id: string, settings?: Pick<Settings, 'agent_files'>): Promise<KnownFile[]>;
  page(scope: Scope, conversation_id: string, query: FileListQuery): Promise<Paged<ConversationFile>>;
  /** Returns a file of this conversation by id; other files of the workspace are not found. */
  get(scope: Scope, conversation_id: string, file_id: string): Promise<KnownFile>;
  read(scope: Scope, file: KnownFile): Promise<Readable>;
  /**
   * Stores a file that a tool made, as a file of the workspace that belongs to this conversation. A file that a tool
   * made before under the same name is detached from the conversation and stays in the workspace.
   */
  keep(
    scope: Scope,
    context: Pick<ToolContext, 'conversation_id' | 'run_id'>,
    made: {
      filename: string;
      bytes: Uint8Array;
      tool: string;
      inline: boolean;
    },
  ): Promise<ToolFile>;
}

/** A file of a conversation: from its messages, its tools, or its agent. */
export interface KnownFile {
  /** The name that tools use; unique in the conversation. */
  path: string;
  origin: 'attached' | 'made' | 'agent';
  /** Whether the file is shown in the reply itself. */
  inline: boolean;
  file: File;
}

/** How many messages are searched for files. */
const mostMessages = 1000;

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const attachedIn = (parts: string): string[] =>
  parseStored<MessagePart[]>(parts).flatMap((part) =>
    part.role === 'user' ? (part.files ?? []).map(({ id }) => id) : [],
  );

const agentFileIds = ({ agent_files }: Pick<Settings, 'agent_files'>) =>
  agent_files.flatMap((entry) => {
    const { id, enabled = true } = typeof entry === 'string' ? { id: entry } : entry;
    return enabled ? [id.toLowerCase()] : [];
  });

export function makeConversationFiles(options: {
  db: Database;
  files: Pick<Files, 'save' | 'many' | 'read'>;
  transcript: Pick<Transcript, 'listLatest'>;
}): ConversationFiles {
  const { db, files, transcript } = options;

  async function list(
    scope: Scope,
    conversation_id: string,
    settings: Pick<Settings, 'agent_files'> = { agent_files: [] },
  ): Promise<KnownFile[]> {
    const [messages, made] = await Promise.all([
      transcript.listLatest(db, scope.workspace_id, conversation_id, mostMessages),
      store.listToolFiles(db, scope.workspace_id, conversation_id),
    ]);
    const agents = agentFileIds(settings);
    const attached = [...new Set(messages.flatMap(({ role, parts }) => (role === 'user' ? attachedIn(parts) : [])))];
    const known = await files.many(scope, [...attached, ...made.map(({ file_id }) => file_id), ...agents]);
    const rows = [
      ...attached.map((id) => ({ id, origin: 'attached' as const, inline: false })),
      ...made.map(({ file_id: id, inline }) => ({ id, origin: 'made' as const, inline })),
      ...agents.map((id) => ({ id, origin: 'agent' as const, inline: false })),
    ].flatMap(({ id, ...row }) => {
      const file = known.get(id);
      return file ? [{ ...row, file }] : [];
    });
    const paths = uniqueNames(rows.map(({ file }) => file.filename));
    return rows.map((row, index) => ({ ...row, path: required(paths[index]) }));
  }

  return {
    list,

    async page(scope: Scope, conversation_id: string, query: FileListQuery): Promise<Paged<ConversationFile>> {
      const page = pageOf(query);
      const all = await list(scope, conversation_id);
      const items = all.slice(page.offset, page.offset + page.size).map(({ file, ...rest }) => ({ ...file, ...rest }));
      return pageAnswer(items, all.length, page);
    },

    async get(scope: Scope, conversation_id: string, file_id: string): Promise<KnownFile> {
      const found = (await list(scope, conversation_id)).find(({ file }) => file.id === file_id);
      if (!found) throw notFound('file');
      return found;
    },

    read: (scope: Scope, { file }: KnownFile) => files.read(scope, file.id),

    async keep(
      scope: Scope,
      { conversation_id, run_id }: Pick<ToolContext, 'conversation_id' | 'run_id'>,
      made: { filename: string; bytes: Uint8Array; tool: string; inline: boolean },
    ): Promise<ToolFile> {
      const { filename, bytes, tool, inline } = made;
      const inner = omit(scope, ['idempotency']);
      const source_metadata = { conversation_id, run_id, tool };
      const file = await files.save(inner, { filename, stream: once(bytes), source_type: 'Custom', source_metadata });
      const before = (await list(scope, conversation_id)).filter(
        (one) => one.origin === 'made' && one.file.filename === file.filename,
      );
      await db.transaction(undefined, async (tx) => {
        const ids = before.map((one) => one.file.id);
        await store.detachToolFiles(tx, scope.workspace_id, conversation_id, ids);
        await store.insertToolFile(tx, scope.workspace_id, conversation_id, { file_id: file.id, run_id, tool, inline });
      });
      const { id, filename: name, size, content_type: type, uri: url } = file;
      return { id, name, size, type, url, inline };
    },
  };
}
