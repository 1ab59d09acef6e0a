import { folded } from '../../../../lib/text/terms.ts';

/** The languages that this model speaks itself; it quotes any. */
export const languages = ['en', 'de', 'fr', 'es'] as const;
export type Language = (typeof languages)[number];

/** Frequent small words by language, without accents. Words that two of the languages share decide nothing. */
const smallWords: Record<Language, ReadonlySet<string>> = {
  en: new Set(
    'the of and to is are was were what when where which who whom whose why how do does did can could should would will shall may must i my me we our you your it its they there this that these those with for from have has had not or if be been any by about please hello hi thanks at an on out'.split(
      ' ',
    ),
  ),
  de: new Set(
    'der die das dem den ist sind war waren wer wie wo wann warum wieso welche welcher welches welchen wem wen ich du sie wir ihr mein meine dein unser kann konnen darf durfen muss mussen soll sollen habe haben hat ein eine einen einem einer eines nicht kein keine und oder mit fur von vom zum zur bei nach uber auf aus im am wird werden gibt es auch bitte danke hallo was viel viele'.split(
      ' ',
    ),
  ),
  fr: new Set(
    'le la les des du est sont etait qui que quoi quel quelle quels quelles quand comment combien pourquoi ou je tu il elle nous vous ils mon ma mes ton votre notre une et dans avec pour sur par pas ne au aux ce cette ces faut puis peut dois doit est-ce bonjour merci j l d qu n de en peux es'.split(
      ' ',
    ),
  ),
  es: new Set(
    'el la los las del es son esta estan era quien quienes que cual cuales cuando como cuanto cuanta cuantos cuantas donde por porque yo tu mi mis nuestro su sus una uno y con para sobre en de hay tiene tengo puedo puede debo debe no al este esto eres hola gracias se lo me'.split(
      ' ',
    ),
  ),
};

/** Words that ask tell the language better than others. */
const askingWords: Record<Language, RegExp> = {
  en: /^(?:what|when|where|which|who|whose|why|how)$/,
  de: /^(?:wer|wie|wo|wann|warum|wieso|welche[rsnm]?|wem|wen|wieviel|wobei|womit)$/,
  fr: /^(?:combien|comment|quels?|quelles?|quand|pourquoi|quoi|qui|ou)$/,
  es: /^(?:quien|quienes|cual|cuales|cuando|como|cuant[oa]s?|donde)$/,
};

const namedLanguage = /answer in (\w+)/i;
const byName: Record<string, Language> = {
  english: 'en',
  german: 'de',
  deutsch: 'de',
  french: 'fr',
  spanish: 'es',
  en: 'en',
  de: 'de',
  fr: 'fr',
  es: 'es',
};

/** The language that the system prompt asks for, where it is one of these. */
const languageOfPrompt = (system: string): Language =>
  byName[namedLanguage.exec(/^# Language\n([^#]*)/m.exec(system)?.[1] ?? '')?.[1]?.toLowerCase() ?? ''] ?? 'en';

/** The language of a question by its small words; the first of the `others` that has any decides a question with none. */
export function languageOf(question: string, others: readonly string[] = [], system = ''): Language {
  for (const text of [question, ...others]) {
    const words = folded(text.slice(0, 2_000)).match(/\p{L}+/gu) ?? [];
    const scored = languages
      .map((language) => ({
        language,
        count: words.reduce(
          (sum, word) => sum + (askingWords[language].test(word) ? 3 : smallWords[language].has(word) ? 1 : 0),
          0,
        ),
      }))
      .sort((one, other) => other.count - one.count);
    const [best, next] = scored;
    if (best && next && best.count > next.count) return best.language;
    if (/[¿¡]/.test(text)) return 'es';
  }
  return languageOfPrompt(system);
}
