/** An answer, and the advice for the operator alone. */
export interface Reply {
  text: string;
  advice?: string;
}

const asks = 'I can only quote what I find: ask me about the documents, files, tables and memories of this agent.';
export const how =
  'For free conversation, configure a language model: set OPENAI_API_KEY (or OPENAI_BASE_URL for a server of your own) and restart, or add a provider at /v1/admin/providers.';

const greeting =
  /^(?:hi|hey|hello|hallo|hei|hej|moin|servus|good (?:morning|day|afternoon|evening)|guten (?:morgen|tag|abend)|salut|bonjour|bonsoir|hola|buenos d[ií]as|ol[aá]|bom dia|ciao|buongiorno|dzie[nń] dobry|cze[sś][cć]|привет|здравствуйте|你好|您好|こんにちは|おはよう|안녕하세요|안녕)(?:[\s,]+(?:there|all|everyone|zusammen|atrium))?$/iu;
const thanks =
  /^(?:thanks|thank you|thx|danke|vielen dank|merci|gracias|obrigad[oa]|grazie|takk|tack|dank je|спасибо|谢谢|ありがとう|감사합니다)(?: (?:a lot|very much|so much|for (?:the|your) help|for that|sehr|beaucoup|mucho))?$/iu;
const whoAreYou =
  /^(?:who|what) are you$|^wer bist du$|^are you (?:an? )?(?:ai|bot|chatbot|human|language model|llm)$|^qui es[- ]tu$|^qui[eé]n eres$/iu;

/** Answers a greeting, thanks or a question about the model itself without a search; undefined for everything else. */
export function smallTalk(text: string): Reply | undefined {
  const said = text
    .trim()
    .slice(0, 300)
    .replace(/[\s.!?¡¿。！？…]+$/u, '')
    .replace(/^[¡¿\s]+/u, '');
  if (greeting.test(said))
    return {
      text: 'Hello. Ask me a question: I look for the answer and quote what I find.',
      advice: `I am the built-in extractive model, not a language model. ${asks} ${how}`,
    };
  if (thanks.test(said)) return { text: 'You are welcome.' };
  if (whoAreYou.test(said))
    return {
      text: 'I am a search program and not a language model: I look for answers and quote what I find.',
      advice: `I am Atrium's built-in extractive model. ${asks} ${how}`,
    };
  return undefined;
}
