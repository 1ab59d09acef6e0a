import { buffer } from 'node:stream/consumers';
import { AppError, InvalidRequest, type ValidationError } from '@atrium/contract/errors.ts';
import type { File } from '@atrium/contract/files/schema.ts';
import { isCut, NotExtractable, shortenText } from '../../drivers/extractors/driver.ts';
import type { FileContent, TextContent } from '../../drivers/models/driver.ts';
import { RunFailure } from '../../execution/run-failure.ts';
import type { Scope } from '../../lib/scope.ts';
import type { FileText, FileTexts } from '../files/ports.ts';
import type { Files } from '../files/service.ts';
import type { MessageFile, SentFile } from '../messages/ports.ts';
import { summarizeFile } from './summarize-file.ts';

export interface ModelTakes {
  /** Whether the model sees images. */
  vision: boolean;
  convert_unsupported_files_to_text: boolean;
  /** The most text that all files together give. */
  max_chars?: number;
  /**
   * How the model can read this file by its tools; empty when it can't. Given only where it has such tools: a long file is
   * then sent as a summary.
   */
  readBy?: ((file_id: string) => Promise<readonly string[]>) | undefined;
  /** Called with the text that would be sent in place of a summary, for guardrails that judge the whole. */
  onSummary?: ((summary: TextContent, whole: string) => void) | undefined;
  /** Called for each file that is sent. */
  onSent?: ((file_id: string, sent: SentFile) => void) | undefined;
}

/** A longer text is sent as a summary, where the model can read it by its tools: about 10,000 tokens. */
const longChars = 40_000;

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

  /** The text of a file, or why there is none. */
  const textOf = (scope: Scope, file: File): Promise<FileText | NotExtractable> =>
    texts(scope, file).catch((error: unknown) => {
      if (error instanceof NotExtractable) return error;
      throw error;
    });

  function wholeText(title: string, read: FileText, { content_type }: File, room: number) {
    const { text, warnings } = shortenText(read, content_type, room);
    const said = [`${title}:`, text, ...warnings.map((warning) => `[${warning}]`)].filter(Boolean).join('\n\n');
    return { said, used: text.length, sent: isCut({ warnings }) ? ('beginning' as const) : ('whole' as const) };
  }

  return async (scope, list, takes) => {
    let room = takes.max_chars ?? 200_000;
    /** What is left where nothing is summarized. */
    let wholeRoom = room;
    const contents: (TextContent | FileContent)[] = [];
    for (const file of list) {
      const refused = notTaken(file, takes);
      if (refused) throw new RunFailure('file_not_supported', `${refused.charAt(0).toUpperCase()}${refused.slice(1)}.`);
      try {
        const stored = await files.get(scope, file.id);
        if (isSentAsImage(file, takes)) {
          const data = await bytesOf(scope, stored);
          contents.push({ type: 'file', media_type: file.type, filename: file.name, data });
          takes.onSent?.(file.id, 'image');
          continue;
        }
        const read = await textOf(scope, stored);
        if (read instanceof NotExtractable) {
          contents.push({ type: 'text', text: `${titleOf(file)} could not be read: ${read.message}.` });
          takes.onSent?.(file.id, 'nothing');
          continue;
        }
        const how = read.text.length > Math.min(longChars, room) ? ((await takes.readBy?.(file.id)) ?? []) : [];
        const { said, used, sent } = wholeText(titleOf(file), read, stored, how.length ? wholeRoom : room);
        wholeRoom = Math.max(0, wholeRoom - used);
        if (how.length) {
          const summary = { type: 'text' as const, text: summarizeFile(titleOf(file), read, stored.size, how) };
          contents.push(summary);
          takes.onSummary?.(summary, said);
          takes.onSent?.(file.id, 'summary');
          continue;
        }
        room -= used;
        contents.push({ type: 'text', text: said });
        takes.onSent?.(file.id, sent);
      } catch (error) {
        if (!isGone(error)) throw error;
        contents.push({ type: 'text', text: `${titleOf(file)} is no longer there.` });
        takes.onSent?.(file.id, 'nothing');
      }
    }
    return contents;
  };
}
