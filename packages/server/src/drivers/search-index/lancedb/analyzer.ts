import type { Lance } from './load.ts';

/** Languages whose stems the engine knows, and whether it knows their stop words too. */
const languages: Record<string, [name: string, stopWords: boolean]> = {
  ar: ['Arabic', false],
  da: ['Danish', true],
  nl: ['Dutch', true],
  en: ['English', true],
  fi: ['Finnish', true],
  fr: ['French', true],
  de: ['German', true],
  el: ['Greek', false],
  hu: ['Hungarian', true],
  it: ['Italian', true],
  no: ['Norwegian', true],
  nb: ['Norwegian', true],
  pt: ['Portuguese', true],
  ro: ['Romanian', false],
  ru: ['Russian', true],
  es: ['Spanish', true],
  sv: ['Swedish', true],
  ta: ['Tamil', false],
  tr: ['Turkish', false],
};

/** How texts and questions are cut into words. An unknown name would end the process, so only these are used. */
export function analyzerOf({ Index }: Lance, language: string | null) {
  const common = { asciiFolding: true, lowercase: true, withPosition: false };
  const [name, stopWords] = languages[language ?? ''] ?? [];
  if (!name) return Index.fts({ ...common, stem: false, removeStopWords: false });
  return Index.fts({ ...common, language: name, stem: true, removeStopWords: stopWords === true });
}
