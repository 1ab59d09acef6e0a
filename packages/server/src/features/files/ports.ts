import type { File, FileContents } from '@atrium/contract/files/schema.ts';
import type { FileOutline, FilePage } from '../../drivers/extractors/driver.ts';
import type { RawAnswer } from '../../lib/responses/raw-answer.ts';
import type { Scope } from '../../lib/scope.ts';

/** Pictures of files, kept in the blob store once they are drawn. */
export interface Previews {
  /** A page of a file that the caller may read, as a picture; fails with 409 `no_preview`. */
  draw(scope: Scope, file_id: string, request: { page: number; width: number }): Promise<RawAnswer>;
}

export interface FileText {
  text: string;
  /** Warnings for people and models, such as that the text ends before the file does. */
  warnings: string[];
  outline: FileOutline;
  /** Of Office files and mails: what a preview shows. */
  pages: FilePage[];
  /** Whether the pages show all of it. */
  pages_complete: boolean;
}

/**
 * The text and the outline of a file that the caller has just looked up, up to two million characters. It is extracted once, stored with
 * the file and removed with it. Fails with NotExtractable.
 */
export type FileTexts = (scope: Scope, file: File, signal?: AbortSignal) => Promise<FileText>;

/** The text and tables of a file that the caller may read, for a preview; fails with 409 `no_preview`. */
export type ShowContents = (scope: Scope, file_id: string) => Promise<FileContents>;
