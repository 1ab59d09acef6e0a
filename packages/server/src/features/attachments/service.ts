import { decodeDataUrl } from '@atrium/contract/attachments/base64.ts';
import type { AttachmentInput } from '@atrium/contract/attachments/schema.ts';
import { AppError, InvalidRequest } from '@atrium/contract/errors.ts';
import { allows } from '@atrium/contract/permissions.ts';
import type { Extract } from '../../drivers/extractors/driver.ts';
import { type Web, WebRefused } from '../../drivers/web/driver.ts';
import { errorFields } from '../../lib/log.ts';
import type { Scope } from '../../lib/scope.ts';
import type { FileInput, Files } from '../files/service.ts';
import type { MessageFile } from '../messages/ports.ts';
import { unknownReference } from '../settings/service.ts';
import { fetchFile } from './fetch-file.ts';
import { partOf, sourceOf, validationErrorAt } from './file-source.ts';
import { checkForModel, makeFilesForModel } from './files-for-model.ts';
import { settled } from './settle-each.ts';

export type Attachments = ReturnType<typeof makeAttachments>;

const megabyte = 1024 * 1024;
/** How long all of them may take. */
const allMs = 60_000;

export interface AttachmentOptions {
  files: Pick<Files, 'save' | 'get' | 'read' | 'exists' | 'remove'>;
  web: Web;
  extract: Extract;
  /** The most bytes of one file that is fetched, and of all new files of a message. */
  max_fetched_bytes?: number;
  max_total_bytes?: number;
}

/** Files in messages: how they come in, and what a model gets of them. */
export function makeAttachments(options: AttachmentOptions) {
  const { files, web, extract, max_fetched_bytes = 25 * megabyte, max_total_bytes = 100 * megabyte } = options;
  /** Those that came with a message and nothing else refers to yet. */
  const fresh = new WeakSet<MessageFile>();

  async function checkStored(scope: Scope, items: readonly AttachmentInput[], at: string[]): Promise<void> {
    const named = items.flatMap((item, index) => {
      const source = sourceOf(item);
      return 'id' in source ? [{ id: source.id, loc: [...at, String(index), item.url ? 'url' : 'id'] }] : [];
    });
    if (named.length === 0) return;
    // Whoever may not read files can't have one read by naming it here.
    const mayRead = allows(scope.permissions, 'files_read');
    const known = mayRead
      ? await files.exists(
          scope,
          named.map(({ id }) => id),
        )
      : new Set<string>();
    const unknown = named.filter(({ id }) => !known.has(id));
    if (unknown.length) throw new InvalidRequest(unknown.map((one) => unknownReference({ kind: 'file', ...one })));
  }

  async function discard(scope: Scope, list: readonly MessageFile[]): Promise<void> {
    for (const file of list)
      if (fresh.delete(file))
        await files.remove(scope, file.id).catch((error: unknown) => {
          scope.log.warn('A file of a refused message could not be removed', {
            file_id: file.id,
            ...errorFields(error),
          });
        });
  }

  /**
   * Stores what came with a message and answers it as the message keeps it. All or nothing: when one can't be had, the
   * others are removed again. Faults are at the items, of which all are told.
   */
  async function attach(
    scope: Scope,
    items: readonly AttachmentInput[],
    at = ['body', 'files'],
  ): Promise<MessageFile[]> {
    await checkStored(scope, items, at);
    // The answer of the request is not one of the files that are stored on the way.
    const { idempotency: _, ...inner } = scope;
    const deadline = Date.now() + allMs;
    let room = max_total_bytes;
    async function* counted(stream: AsyncIterable<Uint8Array>) {
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
      const part = partOf(await files.save(inner, { ...input, stream: counted(input.stream) }));
      fresh.add(part);
      return part;
    };
    const bytesOf = async function* (bytes: Uint8Array) {
      yield bytes;
    };

    async function take(item: AttachmentInput, index: number): Promise<MessageFile> {
      const source = sourceOf(item);
      if ('id' in source) return partOf(await files.get(inner, source.id));
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
        const fetched = await fetchFile(web, source.url, { max_bytes: max_fetched_bytes, deadline, signal });
        return await save({ ...fetched, filename: item.name ?? fetched.filename, source_type: 'Website' });
      } catch (error) {
        if (!(error instanceof WebRefused)) throw error;
        throw refuse(`the file "${item.name ?? source.url.slice(0, 200)}" could not be fetched: ${error.message}`);
      }
    }

    const results = await settled(items, take);
    const taken = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    if (taken.length === items.length) return taken;
    await discard(scope, taken);
    const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
    const other = errors.find((error) => !(error instanceof InvalidRequest));
    if (other !== undefined) throw other;
    throw new InvalidRequest(errors.flatMap((error) => (error as InvalidRequest).validationErrors));
  }

  return {
    attach,
    /** Takes back what `attach` has stored, when its message does not come about. Files that were there before stay. */
    discard,
    check: checkForModel,
    forModel: makeFilesForModel({ files, extract }),
  };
}
