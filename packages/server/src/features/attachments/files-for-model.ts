import { buffer } from 'node:stream/consumers';
import { AppError, InvalidRequest, type ValidationError } from '@atrium/contract/errors.ts';
import { type Extract, NotExtractable } from '../../drivers/extractors/driver.ts';
import type { FileContent, TextContent } from '../../drivers/models/driver.ts';
import { RunFailure } from '../../execution/run-failure.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Files } from '../files/service.ts';
import type { MessageFile } from '../messages/ports.ts';
import { makeFileTextCache, type Told } from './file-text-cache.ts';

export interface ModelTakes {
  /** Whether the model sees images. */
  vision: boolean;
  convert_unsupported_files_to_text: boolean;
  /** The most text that all files together give. */
  max_chars?: number;
}

const images = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
/** No provider takes larger ones. */
const maxImageBytes = 20 * 1024 * 1024;
/** Text as it is: nothing of it has to be converted. */
const readable = /^(?:text\/(?!html\b).*|application\/(?:json|x-ndjson|xml|yaml|x-subrip))$/;

const seen = (file: MessageFile, { vision }: ModelTakes) =>
  vision && images.has(file.type) && file.size <= maxImageBytes;

const notTaken = (file: MessageFile, takes: ModelTakes): string | undefined =>
  takes.convert_unsupported_files_to_text || seen(file, takes) || readable.test(file.type)
    ? undefined
    : `the model can not take the file "${file.name}" (${file.type}), and files are not converted to text here`;

/** Refuses files that the model can't take, for a message that is only being sent. */
export function checkForModel(files: readonly MessageFile[], takes: ModelTakes, at = ['body', 'files']): void {
  const validationErrors = files.flatMap((file, index): ValidationError[] => {
    const error = notTaken(file, takes);
    const loc = [...at, String(index)];
    return error ? [{ loc, msg: `Value error, ${error}`, type: 'value_error', input: file.name, ctx: { error } }] : [];
  });
  if (validationErrors.length) throw new InvalidRequest(validationErrors);
}

const isGone = (error: unknown) => error instanceof AppError && error.kind === 'not_found';

const titleOf = (file: MessageFile) => `File ${JSON.stringify(file.name)} (${file.type})`;

/** Scans are slow to read: of a long one a model gets the first pages, and is told so. */
const ocr = { enabled: true, max_pages: 10 };

/**
 * Files as a model can take them. One that can't be read, or is no longer there, is told to the model as such: an old
 * file must not keep a conversation from going on.
 */
export function makeFilesForModel({ files, extract }: { files: Pick<Files, 'read'>; extract: Extract }) {
  const told = makeFileTextCache();

  /** What a model is told of a file, with so many characters of its text. */
  async function tell(
    scope: Scope,
    file: MessageFile,
    content: AsyncIterable<Uint8Array>,
    room: number,
  ): Promise<Told> {
    const key = `${file.id} ${room}`;
    const before = told.get(key);
    if (before) return before;
    const title = titleOf(file);
    const options = { filename: file.name, content_type: file.type, max_chars: room, signal: scope.signal, ocr };
    const now = await extract(content, options).then(
      ({ text, warnings }) => ({
        said: [`${title}:`, text, ...warnings.map((warning) => `[${warning}]`)].filter(Boolean).join('\n\n'),
        used: text.length,
        lasts: true,
      }),
      (error: unknown) => {
        if (!(error instanceof NotExtractable)) throw error;
        // Another time it may be fast enough.
        return { said: `${title} could not be read: ${error.message}.`, used: 0, lasts: error.code !== 'too_slow' };
      },
    );
    if (now.lasts) told.set(key, now);
    return now;
  }

  return async (
    scope: Scope,
    list: readonly MessageFile[],
    takes: ModelTakes,
  ): Promise<(TextContent | FileContent)[]> => {
    let room = takes.max_chars ?? 200_000;
    const contents: (TextContent | FileContent)[] = [];
    for (const file of list) {
      const refused = notTaken(file, takes);
      if (refused) throw new RunFailure('file_not_supported', `${refused.charAt(0).toUpperCase()}${refused.slice(1)}.`);
      try {
        const stream = await files.read(scope, file.id);
        if (seen(file, takes)) {
          const data = await buffer(stream);
          contents.push({ type: 'file', media_type: file.type, filename: file.name, data });
          continue;
        }
        try {
          const { said, used } = await tell(scope, file, stream, room);
          room -= used;
          contents.push({ type: 'text', text: said });
        } finally {
          stream.destroy();
        }
      } catch (error) {
        if (!isGone(error)) throw error;
        contents.push({ type: 'text', text: `${titleOf(file)} is no longer there.` });
      }
    }
    return contents;
  };
}
