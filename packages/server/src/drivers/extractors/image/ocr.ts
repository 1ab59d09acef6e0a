import { type ExtractChoices, NotExtractable } from '../driver.ts';
import { findLanguageData, languageCode, listLanguages } from './ocr-languages.ts';
import { countPixels } from './pixel-count.ts';

/** More than a page at 600 dots per inch. */
const mostPixels = 40_000_000;
const least = 3;
/** To find out the language, the first image is read in each of so many. */
const mostTried = 6;

export interface Seen {
  text: string;
  warnings: string[];
}

/** Starts the reader of a language. `ocr_data`: the folder with the operator's language data. */
async function startReader(code: string, ocr_data: string | undefined) {
  const { createWorker, OEM } = await import('tesseract.js');
  const { folder: langPath, gzip } = findLanguageData(code, ocr_data) ?? { folder: '', gzip: true };
  const worker = await createWorker(code, OEM.LSTM_ONLY, {
    langPath,
    gzip,
    cacheMethod: 'none',
    errorHandler: () => {},
  });
  return {
    read: async (image: Buffer) => (await worker.recognize(image, {}, { text: false, blocks: true })).data,
    end: () => worker.terminate(),
  };
}
type Reader = Awaited<ReturnType<typeof startReader>>;
type Read = Awaited<ReturnType<Reader['read']>>;

/** Reads the text of images. Loaded with the first of them, and kept until `end`. */
export function makeOcr(
  { confidence = 0.7, language = 'auto' }: NonNullable<ExtractChoices['ocr']> = {},
  ocr_data?: string,
) {
  const asked = language === 'auto' ? undefined : languageCode(language);
  const known = asked !== undefined && findLanguageData(asked, ocr_data) !== undefined;
  const warnings =
    asked === undefined || known
      ? []
      : [`There is no data to read ${JSON.stringify(language.slice(0, 20))} in images; it was read as English.`];
  const candidates = asked === undefined ? listLanguages(ocr_data).slice(0, mostTried) : [known ? asked : 'eng'];
  let reader: Reader | undefined;

  /** Reads the first image in each language and keeps the reader that is most certain of its words. */
  async function readFirst(image: Buffer): Promise<Read> {
    let best: Read | undefined;
    for (const code of candidates) {
      const next = await startReader(code, ocr_data);
      const data = await next.read(image).catch(async (error: unknown) => {
        await next.end();
        throw error;
      });
      const better = best === undefined || data.confidence > best.confidence;
      await (better ? reader : next)?.end();
      if (better) [reader, best] = [next, data];
    }
    if (!best) throw new Error('there is no language to read');
    return best;
  }

  return {
    async read(image: Buffer): Promise<Seen> {
      const pixels = countPixels(image);
      if (pixels !== undefined && pixels > mostPixels)
        throw new NotExtractable('too_large', `the image has more than ${mostPixels / 1_000_000} million pixels`);
      // The library fails on images that have no room for a letter.
      if (pixels !== undefined && pixels < least * least) return { text: '', warnings };
      let data: Read;
      try {
        data = await (reader ? reader.read(image) : readFirst(image));
      } catch {
        throw new NotExtractable('unreadable', 'the image is damaged, or of a kind that can not be read');
      }
      const paragraphs = (data.blocks ?? []).flatMap((block) => block.paragraphs);
      const text = paragraphs
        .map(({ lines }) =>
          lines
            .map(({ words }) =>
              words
                .filter((word) => word.confidence >= confidence * 100)
                .map((word) => word.text)
                .join(' '),
            )
            .filter(Boolean)
            .join('\n'),
        )
        .filter(Boolean)
        .join('\n\n');
      return { text, warnings };
    },
    end: async (): Promise<void> => void (await reader?.end()),
  };
}
