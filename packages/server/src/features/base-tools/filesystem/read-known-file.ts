import { NotExtractable } from '../../../drivers/extractors/driver.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { FileText, FileTexts } from '../../files/ports.ts';
import { ToolError } from '../../tools/service.ts';
import type { KnownFile } from '../conversation-files/service.ts';

/** The text of a file of a conversation; the model reads why there is none. */
export const makeReadKnownFile =
  (texts: FileTexts) =>
  async (scope: Scope, { file, path }: KnownFile, signal: AbortSignal): Promise<FileText> => {
    try {
      return await texts(scope, file, signal);
    } catch (error) {
      if (!(error instanceof NotExtractable)) throw error;
      throw new ToolError(`${path} could not be read: ${error.message}`);
    }
  };
