import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type ExtractChoices, NotExtractable } from '../driver.ts';
import { countPixels } from './pixel-count.ts';

/** More than a page at 600 dots per inch. */
const mostPixels = 40_000_000;
const least = 3;

/** Two letters, as languages are named elsewhere. */
const longer: Record<string, string> = { en: 'eng', de: 'deu', fr: 'fra', es: 'spa', it: 'ita', pt: 'por', nl: 'nld' };

const require = createRequire(import.meta.url);

/** The folder with the data of a language. It is one of the packages that are installed, or none: nothing is fetched. */
function dataOf(language: string): string | undefined {
  try {
    const folder = join(dirname(require.resolve(`@tesseract.js-data/${language}/package.json`)), '4.0.0_best_int');
    return existsSync(join(folder, `${language}.traineddata.gz`)) ? folder : undefined;
  } catch {
    return undefined;
  }
}

export interface Seen {
  text: string;
  warnings: string[];
}

/** Reads the text of images. Loaded with the first of them, and kept until `end`. */
export function makeOcr({ confidence = 0.7, language = 'auto' }: NonNullable<ExtractChoices['ocr']> = {}) {
  const asked = language === 'auto' ? 'eng' : (longer[language.toLowerCase()] ?? language.toLowerCase());
  const folder = /^[a-z]{3}(?:_[a-z]{3,4})?$/.test(asked) ? dataOf(asked) : undefined;
  const warnings = folder
    ? []
    : [`There is no data to read ${JSON.stringify(language.slice(0, 20))} in images; it was read as English.`];

  async function load() {
    const { createWorker, OEM } = await import('tesseract.js');
    const langPath = folder ?? (dataOf('eng') as string);
    const options = { langPath, gzip: true, cacheMethod: 'none', errorHandler: () => {} };
    return createWorker(folder ? asked : 'eng', OEM.LSTM_ONLY, options);
  }
  let worker: ReturnType<typeof load> | undefined;

  return {
    async read(image: Buffer): Promise<Seen> {
      const pixels = countPixels(image);
      if (pixels !== undefined && pixels > mostPixels)
        throw new NotExtractable('too_large', `the image has more than ${mostPixels / 1_000_000} million pixels`);
      // The library fails on images that have no room for a letter.
      if (pixels !== undefined && pixels < least * least) return { text: '', warnings };
      worker ??= load();
      let data: Awaited<ReturnType<Awaited<typeof worker>['recognize']>>['data'];
      try {
        ({ data } = await (await worker).recognize(image, {}, { text: false, blocks: true }));
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
    async end(): Promise<void> {
      await (await worker?.catch(() => undefined))?.terminate();
    },
  };
}
