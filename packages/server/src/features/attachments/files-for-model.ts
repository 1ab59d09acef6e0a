import { buffer } from 'node:stream/consumers';
import { AppError, InvalidRequest, type ValidationError } from '@atrium/contract/errors.ts';
import type { File } from '@atrium/contract/files/schema.ts';
import { NotExtractable, shortenText } from '../../drivers/extractors/driver.ts';
import type { FileContent, TextContent } from '../../drivers/models/driver.ts';
import { RunFailure } from '../../execution/run-failure.ts';
import type { Scope } from '../../lib/scope.ts';
import type { FileTexts } from '../files/ports.ts';
import type { Files } from '../files/service.ts';
import type { MessageFile } from '../messages/ports.ts';

export interface ModelTakes {
  /** Whether the model sees images. */
  vision: boolean;
  convert_unsupported_files_to_text: boolean;
  /** The most text that all files together give. */
  max_chars?: number;
}

const images = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
/** No provider accepts larger images. */
const maxImageBytes = 20 * 1024 * 1024;
/** Media types of plain text, which needs no conversion. */
const readable = /^(?:text\/(?!html\b).*|application\/(?:json|x-ndjson|xml|yaml|x-subrip))$/;

const isSentAsImage = (file: MessageFile, { vision }: ModelTakes) =>
  vision && images.has(file.type) && file.size <= maxImageBytes;

const notTaken = (file: MessageFile, takes: ModelTakes): string | undefined =>
  takes.convert_unsupported_files_to_text || isSentAsImage(file, takes) || readable.test(file.type)
    ? undefined
    : `the model can not take the file "${file.name}" (${file.type}), and files are not converted to text here`;

/** Refuses files that the model can't accept, before their message is stored. */
export function checkForModel(files: readonly MessageFile[], takes: ModelTakes, at = ['body', 'files']): void {
  const validationErrors = files.flatMap((file, index): ValidationError[] => {
    const error = notTaken(file, takes);
    const loc = [...at, String(index)];
    return error ? [{ loc, msg: `Value error, ${error}`, type: 'value_error', input: file.name, ctx: { error } }] : [];
  });
  if (validationErrors.length) throw new InvalidRequest(validationErrors);
}

export type FilesForModel = (
  scope: Scope,
  list: readonly MessageFile[],
  takes: ModelTakes,
) => Promise<(TextContent | FileContent)[]>;

const isGone = (error: unknown) => error instanceof AppError && error.kind === 'not_found';

const titleOf = (file: MessageFile) => `File ${JSON.stringify(file.name)} (${file.type})`;

/**
 * Converts files to what a model accepts. For a file that can't be read or was deleted the model gets a note: an old file
 * must not end a conversation.
 */
export function makeFilesForModel(options: { files: Pick<Files, 'get' | 'bytes'>; texts: FileTexts }): FilesForModel {
  const { files, texts } = options;

  async function bytesOf(scope: Scope, file: File): Promise<Buffer> {
    const stream = await files.bytes(scope, file);
    return buffer(stream).finally(() => stream.destroy());
  }

  /** The text for a file, with at most `room` characters of its content. */
  async function textOfFile(scope: Scope, file: File, title: string, room: number) {
    try {
      const { text, warnings } = shortenText(await texts(scope, file), file.content_type, room);
      const said = [`${title}:`, text, ...warnings.map((warning) => `[${warning}]`)].filter(Boolean).join('\n\n');
      return { text: said, used: text.length };
    } catch (error) {
      if (!(error instanceof NotExtractable)) throw error;
      return { text: `${title} could not be read: ${error.message}.`, used: 0 };
    }
  }

  return async (scope, list, takes) => {
    let room = takes.max_chars ?? 200_000;
    const contents: (TextContent | FileContent)[] = [];
    for (const file of list) {
      const refused = notTaken(file, takes);
      if (refused) throw new RunFailure('file_not_supported', `${refused.charAt(0).toUpperCase()}${refused.slice(1)}.`);
      try {
        const stored = await files.get(scope, file.id);
        if (isSentAsImage(file, takes)) {
          const data = await bytesOf(scope, stored);
          contents.push({ type: 'file', media_type: file.type, filename: file.name, data });
          continue;
        }
        const { text, used } = await textOfFile(scope, stored, titleOf(file), room);
        room -= used;
        contents.push({ type: 'text', text });
      } catch (error) {
        if (!isGone(error)) throw error;
        contents.push({ type: 'text', text: `${titleOf(file)} is no longer there.` });
      }
    }
    return contents;
  };
}
