import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Two letters, as languages are named elsewhere. */
const longer: Record<string, string> = { en: 'eng', de: 'deu', fr: 'fra', es: 'spa', it: 'ita', pt: 'por', nl: 'nld' };

/** The code by which the data of a language is named. */
export const languageCode = (name: string) => longer[name.toLowerCase()] ?? name.toLowerCase();

export interface LanguageData {
  folder: string;
  gzip: boolean;
}

const scope = '@tesseract.js-data';
const require = createRequire(import.meta.url);

/** The folders with installed packages of languages: of the server, and of the operator. */
const packageFolders = (ocr_data: string | undefined) => [
  dirname(dirname(require.resolve(`${scope}/eng/package.json`))),
  ...(ocr_data === undefined ? [] : [join(ocr_data, 'node_modules', scope)]),
];

/** Finds the data of a language among installed packages and the files of the operator. Nothing is fetched. */
export function findLanguageData(code: string, ocr_data?: string): LanguageData | undefined {
  if (!/^[a-z]{3}(?:_[a-z]{3,4})?$/.test(code)) return undefined;
  const places = [
    ...packageFolders(ocr_data).map((folder) => ({ folder: join(folder, code, '4.0.0_best_int'), gzip: true })),
    ...(ocr_data === undefined ? [] : [true, false].map((gzip) => ({ folder: ocr_data, gzip }))),
  ];
  return places.find(({ folder, gzip }) => existsSync(join(folder, `${code}.traineddata${gzip ? '.gz' : ''}`)));
}

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

/** The languages that can be read, English first. */
export function listLanguages(ocr_data?: string): string[] {
  const packages = packageFolders(ocr_data).flatMap(namesIn);
  const files = ocr_data === undefined ? [] : namesIn(ocr_data);
  const named = files.flatMap((file) => /^([a-z_]+)\.traineddata(?:\.gz)?$/.exec(file)?.[1] ?? []);
  return [...new Set(['eng', ...packages, ...named])].filter(
    (code) => code !== 'osd' && findLanguageData(code, ocr_data),
  );
}
