import type { Advice } from './advice.ts';
import type { Language } from './language.ts';
import type { Phrases } from './phrases.ts';

/** An answer, and the advice for the operator alone. */
export interface Reply {
  text: string;
  advice?: string;
}

const greeting =
  /^(?:hi|hey|hello|hallo|hei|hej|moin|servus|good (?:morning|day|afternoon|evening)|guten (?:morgen|tag|abend)|gr[uü](?:ß|ss) gott|salut|bonjour|bonsoir|hola|buenos d[ií]as|buenas (?:tardes|noches)|ol[aá]|bom dia|ciao|buongiorno|dzie[nń] dobry|cze[sś][cć]|привет|здравствуйте|你好|您好|こんにちは|おはよう|안녕하세요|안녕)(?:[\s,]+(?:there|all|everyone|zusammen|atrium))?$/iu;
const thanks =
  /^(?:thanks|thank you|thx|danke|vielen dank|dankesch[oö]n|merci|gracias|muchas gracias|obrigad[oa]|grazie|takk|tack|dank je|спасибо|谢谢|ありがとう|감사합니다)(?: (?:a lot|very much|so much|for (?:the|your) help|for that|sehr|sch[oö]n|beaucoup|mucho))?$/iu;

const spoken: [Language, RegExp][] = [
  ['de', /^(?:hallo|moin|servus|guten|gr[uü]|danke|vielen)/i],
  ['fr', /^(?:salut|bonjour|bonsoir|merci)/i],
  ['es', /^(?:hola|buen[oa]s|gracias|muchas)/i],
];

/** The language of a greeting or of thanks, which may be one word. */
export const languageOfGreeting = (text: string): Language | undefined =>
  spoken.find(([, words]) => words.test(text.trim().replace(/^[¡¿\s]+/u, '')))?.[0];

/** Answers a greeting or thanks without a search; undefined for everything else. */
export function smallTalk(text: string, phrases: Phrases, advice: Advice): Reply | undefined {
  const said = text
    .trim()
    .slice(0, 300)
    .replace(/[\s.!?¡¿。！？…]+$/u, '')
    .replace(/^[¡¿\s]+/u, '');
  if (greeting.test(said)) return { text: phrases.greeting, advice: advice.aboutModel };
  return thanks.test(said) ? { text: phrases.welcome } : undefined;
}
