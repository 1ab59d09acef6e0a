import { splitSentences } from '../../../lib/text/split-sentences.ts';
import type { FileContent, ModelMessage, ModelRequest, ToolResultContent } from '../driver.ts';
import { readToolHints, type ToolHints } from '../tool-hints.ts';
import { readingsOf } from './follow-ups.ts';
import { type Passage, passagesIn } from './passages.ts';
import { type Question, readQuestion } from './reading/question.ts';
import type { Language } from './words/language.ts';
import { isOwnAnswer } from './words/phrases.ts';
import { languageOfGreeting } from './words/small-talk.ts';

/** A tool call of this turn. It has no result while it waits for an approval. */
export interface TurnToolCall {
  name: string;
  input: unknown;
  result: ToolResultContent | undefined;
}

/** A question as it is searched for, and as answers are compared with it. */
export interface TurnReading {
  query: string;
  question: Question;
}

/** The question of a message, and the texts at hand to answer it from. */
export interface Turn {
  /** The text of the user, without hints. */
  text: string;
  /** The sentence that asks, in the ways that it can be understood, the likeliest first. */
  readings: readonly TurnReading[];
  language: Language;
  hints: ToolHints;
  made: TurnToolCall[];
  /** Texts that need no search: attachments, memories, glossary, earlier messages. */
  given: Passage[];
  unreadable: string[];
}

const passage = (text: string, title: string, weight = 1): Passage => ({ text, title, url: null, weight });

const isText = ({ media_type }: FileContent) =>
  /^text\/|[/+](?:json|xml|yaml|x-yaml|csv|markdown|javascript|sql)(?:;|$)/.test(media_type);
const decoded = ({ data }: FileContent) => new TextDecoder().decode(data.subarray(0, 1_000_000));

/** Texts made from a file begin with a line that names it: `File "lease.pdf" (application/pdf):`. */
const fileLine = /^File "((?:[^"\\\n]|\\.){1,300})"[^\n]*:\n/;

function attached(said: string, title = 'attached file', weight = 1): Passage {
  const { text } = readToolHints(said);
  const line = fileLine.exec(text);
  return line ? passage(text.slice(line[0].length), line[1] ?? title, weight) : passage(text, title, weight);
}

/** Reads the facts from two sections of the system prompt; all further sections are instructions and are not quoted. */
function factsIn(system: string): Passage[] {
  const facts: Passage[] = [];
  let title = '';
  for (const line of system.split('\n')) {
    title = line.startsWith('# ') ? line.slice(2).trim() : title;
    const fact = /^[-*] (.+)/.exec(line)?.[1];
    if (fact && (title === 'Glossary' || title === 'Memories')) facts.push(passage(fact, title, 0.9));
  }
  return facts;
}

/** A long message is a text with a question about it: the sentence that asks, or the last one. */
function questionIn(text: string): { question: string; body: Passage[] } {
  if (text.length <= 600) return { question: text, body: [] };
  const sentences = splitSentences(text);
  const question = sentences.findLast((one) => /[?？؟]\W*$/.test(one)) ?? sentences.at(-1) ?? text;
  return { question: question.slice(0, 600), body: [passage(text.replace(question, '\n'), 'your message')] };
}

function earlierIn(messages: readonly ModelMessage[]): Passage[] {
  return messages.flatMap((message): Passage[] => {
    if (message.role === 'tool') return message.results.flatMap(passagesIn).map((one) => ({ ...one, weight: 0.6 }));
    return message.parts.flatMap((part): Passage[] => {
      if (part.type === 'file') return isText(part) ? [passage(decoded(part), part.filename, 0.7)] : [];
      if (part.type !== 'text' || isOwnAnswer(part.text) || /[?？؟]\s*$/.test(part.text)) return [];
      return [attached(part.text, 'earlier in this conversation', 0.6)];
    });
  });
}

const textsOf = (message: ModelMessage | undefined) =>
  message?.role === 'user' ? message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])) : [];

export function readTurn({ system, messages }: Pick<ModelRequest, 'system' | 'messages'>): Turn {
  const at = messages.findLastIndex(({ role }) => role === 'user');
  const [last, before, after] = [messages[at], messages.slice(0, Math.max(0, at)), messages.slice(at + 1)];
  const texts = textsOf(last);
  const { text, hints } = readToolHints(texts.at(-1) ?? '');
  const { question, body } = questionIn(text);
  const files = last?.role === 'user' ? last.parts.filter((part) => part.type === 'file') : [];

  const results = after.flatMap((message) => (message.role === 'tool' ? message.results : []));
  const made = after.flatMap((message) =>
    message.role === 'assistant'
      ? message.parts.flatMap((part) =>
          part.type === 'tool-call'
            ? [{ name: part.name, input: part.input, result: results.find(({ id }) => id === part.id) }]
            : [],
        )
      : [],
  );
  const previous = before.flatMap((message) => {
    const said = textsOf(message).at(-1);
    // A summary was not asked.
    return said === undefined || said.startsWith('[Summary of ') ? [] : [readToolHints(said).text];
  });
  const readings = readingsOf(question, previous).map(({ question: own, topic }) => ({
    query: `${topic}\n${own}`.trim(),
    question: readQuestion(own, { topic, system }),
  }));
  return {
    text,
    readings,
    language: languageOfGreeting(text) ?? readings[0]?.question.language ?? 'en',
    hints,
    made,
    given: [
      ...texts.slice(0, -1).map((one) => attached(one)),
      ...files.filter(isText).map((file) => passage(decoded(file), file.filename)),
      ...body,
      ...factsIn(system),
      ...earlierIn(before).reverse(),
    ],
    unreadable: files.filter((file) => !isText(file)).map(({ filename }) => filename),
  };
}
