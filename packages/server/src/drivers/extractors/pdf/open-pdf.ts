import { getDocumentProxy } from 'unpdf';
import { NotExtractable } from '../driver.ts';
import { cjkMap } from './cjk-maps.ts';

export type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

const mostPixels = 40_000_000;

/** What the library asks for beyond the file: of all that, only tables of encodings are there. */
class Tables {
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    const table = kind === 'cMapUrl' ? cjkMap(filename) : undefined;
    if (!table) throw new Error('There is no such table');
    return table;
  }
}

export async function openPdf(
  bytes: Buffer,
  drawing: { CanvasFactory?: unknown; useSystemFonts?: boolean } = {},
): Promise<Pdf> {
  try {
    return await getDocumentProxy(new Uint8Array(bytes), {
      ...{ verbosity: 0, isEvalSupported: false, useSystemFonts: false, disableFontFace: true, enableXfa: false },
      ...{ maxImageSize: mostPixels, stopAtErrors: false },
      ...{ BinaryDataFactory: Tables, cMapPacked: false, useWorkerFetch: false },
      ...(drawing as object),
    });
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException')
      throw new NotExtractable('encrypted', 'it is protected with a password');
    throw new NotExtractable('unreadable', 'it is damaged, or no PDF');
  }
}
