import { decodeDataUrl } from '@atrium/contract/attachments/base64.ts';
import type { AttachmentInput } from '@atrium/contract/attachments/schema.ts';
import { AppError, InvalidRequest } from '@atrium/contract/errors.ts';
import { allows } from '@atrium/contract/permissions.ts';
import { explainRefusal, type Web, WebRefused } from '../../drivers/web/driver.ts';
import { errorFields } from '../../lib/log.ts';
import { omit } from '../../lib/omit.ts';
import { mayBeStored } from '../../lib/outages/may-be-stored.ts';
import type { Scope } from '../../lib/scope.ts';
import type { FileTexts } from '../files/ports.ts';
import type { FileInput, Files } from '../files/service.ts';
import type { MessageFile } from '../messages/ports.ts';
import { unknownReference } from '../settings/service.ts';
import { fetchFile } from './fetch-file.ts';
import { partOf, sourceOf, validationErrorAt } from './file-source.ts';
import { checkForModel, type FilesForModel, makeFilesForModel } from './files-for-model.ts';
import { settleEach } from './settle-each.ts';

export type { ModelTakes } from './files-for-model.ts';

export interface Attachments {
  /**
   * Stores the files of a message. When one fails, the stored ones are removed again. Validation errors name
   * the items. `hosts`: the only hosts that files may be fetched from; none: any.
   */
  attach(
    scope: Scope,
    conversation_id: string,
    items: readonly AttachmentInput[],
    given?: { at?: string[]; hosts?: readonly string[] },
  ): Promise<MessageFile[]>;
  /**
   * Removes files that `attach` has stored, when their message is refused. Files that were stored before stay, and so do
   * all of them when this failure leaves open whether the message is stored.
   */
  discard(scope: Scope, list: readonly MessageFile[], failure?: unknown): Promise<void>;
  check: typeof checkForModel;
  forModel: FilesForModel;
}

const megabyte = 1024 * 1024;
/** How long the files of a message may take together. */
const maxMs = 60_000;

export interface AttachmentOptions {
  /** The files that a caller may name. */
  files: Pick<Files, 'save' | 'get' | 'exists' | 'link'>;
  /** Those that messages name, whose readers are those of the conversation. */
  referredFiles: Pick<Files, 'get' | 'bytes' | 'remove'>;
  web: Web;
  /** The texts of files, which are extracted once. */
  texts: FileTexts;
  /** The most bytes of one file that is fetched, and of all new files of a message. */
  max_fetched_bytes?: number;
  max_total_bytes?: number;
}

/** Stores the files of messages, and converts them for models. */
export function makeAttachments(options: AttachmentOptions): Attachments {
  const {
    files,
    referredFiles,
    web,
    texts,
    max_fetched_bytes = 25 * megabyte,
    max_total_bytes = 100 * megabyte,
  } = options;
  /** Files that were stored for a message; no other record refers to them yet. */
  const fresh = new WeakSet<MessageFile>();

  async function checkStored(scope: Scope, items: readonly AttachmentInput[], at: string[]): Promise<void> {
    const named = items.flatMap((item, index) => {
      const source = sourceOf(item);
      return 'id' in source ? [{ id: source.id, loc: [...at, String(index), item.url ? 'url' : 'id'] }] : [];
    });
    if (named.length === 0) return;
    // A caller without files_read must not read a stored file by naming it.
    const mayRead = allows(scope.permissions, 'files_read');
    const known = mayRead
      ? await files.exists(
          scope,
          named.map(({ id }) => id),
        )
      : new Set<string>();
    const unknown = named.filter(({ id }) => !known.has(id));
    if (unknown.length)
      throw new InvalidRequest(unknown.map((reference) => unknownReference({ kind: 'file', ...reference })));
  }

  async function discard(scope: Scope, list: readonly MessageFile[], failure?: unknown): Promise<void> {
    if (mayBeStored(failure)) return;
    for (const file of list)
      if (fresh.delete(file))
        await referredFiles.remove(scope, file.id).catch((error: unknown) => {
          scope.log.warn('attachment.remove_failed', {
            file_id: file.id,
            ...errorFields(error),
          });
        });
  }

  async function attach(
    scope: Scope,
    conversation_id: string,
    items: readonly AttachmentInput[],
    { at = ['body', 'files'], hosts = [] }: { at?: string[]; hosts?: readonly string[] } = {},
  ): Promise<MessageFile[]> {
    await checkStored(scope, items, at);
    // The idempotency key belongs to the answer of the request, not to the files.
    const inner = omit(scope, ['idempotency']);
    const deadline = Date.now() + maxMs;
    let room = max_total_bytes;
    async function* countBytes(stream: AsyncIterable<Uint8Array>) {
      for await (const chunk of stream) {
        room -= chunk.length;
        if (room < 0) {
          const limit = `${Math.floor(max_total_bytes / megabyte)} MB`;
          throw new AppError('too_large', `The files of a message may have ${limit} together`);
        }
        yield chunk;
      }
    }
    const save = async (input: FileInput) => {
      const part = partOf(await files.save(inner, { ...input, conversation_id, stream: countBytes(input.stream) }));
      fresh.add(part);
      return part;
    };
    const bytesOf = async function* (bytes: Uint8Array) {
      yield bytes;
    };

    async function store(item: AttachmentInput, index: number): Promise<MessageFile> {
      const source = sourceOf(item);
      if ('id' in source) {
        const named = await files.get(inner, source.id);
        await files.link(inner, conversation_id, [named.id]);
        return partOf(named);
      }
      if ('bytes' in source) return save({ filename: item.name ?? 'file', stream: bytesOf(source.bytes) });
      const refuse = (reason: string) =>
        new InvalidRequest([validationErrorAt([...at, String(index), 'url'], reason, source.url)]);
      if (/^data:/i.test(source.url)) {
        const bytes = decodeDataUrl(source.url);
        if (!bytes) throw refuse('a data address should hold base64');
        return save({ filename: item.name ?? 'file', stream: bytesOf(bytes) });
      }
      try {
        const { signal } = scope;
        const fetched = await fetchFile(web, source.url, { max_bytes: max_fetched_bytes, deadline, hosts, signal });
        return await save({ ...fetched, filename: item.name ?? fetched.filename, source_type: 'Website' });
      } catch (error) {
        if (!(error instanceof WebRefused)) throw error;
        const why = explainRefusal(error, { ...scope, permission: 'agents_edit' });
        throw refuse(`the file "${item.name ?? source.url.slice(0, 200)}" could not be fetched: ${why}`);
      }
    }

    const results = await settleEach(items, store);
    const stored = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    if (stored.length === items.length) return stored;
    await discard(scope, stored);
    const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
    const other = errors.find((error) => !(error instanceof InvalidRequest));
    if (other !== undefined) throw other;
    throw new InvalidRequest(errors.flatMap((error) => (error as InvalidRequest).validationErrors));
  }

  return {
    attach,
    discard,
    check: checkForModel,
    forModel: makeFilesForModel({ files: referredFiles, texts }),
  };
}
