import { splitSentences } from '../../../lib/text/split-sentences.ts';
import { type Passage, passagesIn, toolTitle } from './passages.ts';
import type { Plan } from './plan.ts';
import { type Quote, rankSentences } from './rank-sentences.ts';
import type { Turn, TurnToolCall } from './read-turn.ts';
import { how, type Reply } from './small-talk.ts';
import { todosIn } from './todos.ts';

const source = ({ title, url }: Pick<Quote, 'title' | 'url'>) => {
  const name = title.replace(/[[\]\s]+/g, ' ').trim() || 'untitled';
  return url ? `[${name}](${url.replace(/[()]/g, encodeURIComponent)})` : `[${name}]`;
};
const quoted = (quote: Pick<Quote, 'text' | 'title' | 'url'>) => `- “${quote.text}” ${source(quote)}`;
const short = (text: string, most: number) => (text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text);

const failuresOf = (made: readonly TurnToolCall[]) =>
  made.flatMap(({ name, result }) => (result?.is_error ? [`${name} did not work: ${short(result.output, 300)}`] : []));
const foundBy = (made: readonly TurnToolCall[]) => made.flatMap(({ result }) => (result ? passagesIn(result) : []));

/** Paragraphs of an answer, and those that only the operator reads. */
interface Paragraphs {
  text: string[];
  advice?: string[];
}

const failed = (failures: string[]): Paragraphs => ({ text: ['That did not work.'], advice: failures });
const honest = `I am the built-in extractive model: I quote what I find and can't write or reason. ${how}`;

/** The first sentences of passages that were not found by their words. */
function nearest(passages: readonly Passage[], count: number): string[] {
  return passages
    .map((passage) => ({ ...passage, text: splitSentences(passage.text.slice(0, 2_000)).slice(0, 2).join(' ') }))
    .filter(({ text }) => text.length >= 30)
    .slice(0, count)
    .map((passage) => quoted({ ...passage, text: short(passage.text, 400) }));
}

function answerFromSearch(turn: Turn): Paragraphs {
  const found = foundBy(turn.made);
  const quotes = rankSentences(turn.question, [...found, ...turn.given]);
  const failures = failuresOf(turn.made);
  const notes = [
    ...(failures.length > 0 ? ['I could not search everything.'] : []),
    ...turn.unreadable.map((name) => `I can't read ${name}: it is no text.`),
  ];
  const advice = [...failures, ...(turn.unreadable.length > 0 ? ['Reading such files needs a language model.'] : [])];
  if (quotes.length > 0) return { text: ['This is what I found:', quotes.map(quoted).join('\n'), ...notes], advice };
  const places = [...new Set(turn.made.filter(({ result }) => !result?.is_error).map(({ name }) => toolTitle(name)))];
  const where = places.length ? `in ${places.join(', ')}` : 'in what I have at hand';
  // A vector search may have found passages in other words; the reader judges whether they answer.
  const near = nearest(found, 2);
  const besides =
    near.length > 0 ? ['The nearest passages that came back, in other words than yours:', near.join('\n')] : [];
  return { text: [`I found nothing about this ${where}.`, ...besides, ...notes], advice: [...advice, honest] };
}

/** The result of a tool that the message named: its best sentences, or all of it. */
function answerFromNamedTool(turn: Turn): Paragraphs {
  const failures = failuresOf(turn.made);
  if (failures.length > 0) return failed(failures);
  const passages = foundBy(turn.made);
  const name = turn.made[0]?.name ?? 'The tool';
  if (passages.length === 0) return { text: [`${name} ran and returned nothing.`] };
  const quotes = rankSentences(turn.question, passages);
  if (quotes.length > 0 && passages.length > 1)
    return { text: ['This is what I found:', quotes.map(quoted).join('\n')] };
  const results = passages.slice(0, 5).map((passage) => `${short(passage.text.trim(), 1_000)} ${source(passage)}`);
  return { text: [`${name} returned:`, ...results] };
}

function answerWithTime(turn: Turn): Paragraphs {
  const output = turn.made.find(({ name, result }) => name === 'clock_now' && result && !result.is_error)?.result
    ?.output;
  if (output === undefined) return failed(failuresOf(turn.made));
  try {
    const { utc, local, time_zone } = JSON.parse(output) as Record<string, unknown>;
    if (utc && local)
      return {
        text: [time_zone === 'UTC' ? `It is ${local} (UTC).` : `It is ${local} (${time_zone}), ${utc} in UTC.`],
      };
  } catch {
    // Another clock tool may answer in another format, which is quoted as it is.
  }
  return { text: [short(output, 300)] };
}

function answerAboutTodos({ made }: Turn, { wish, found }: Plan & { kind: 'todos' }): Paragraphs {
  const failures = failuresOf(made);
  if (failures.length > 0) return failed(failures);
  if (wish.verb === 'add') return { text: [`Added to the list: ${wish.items.join('; ')}.`] };
  if (wish.verb === 'read') {
    const todos = todosIn(made.at(-1)?.result?.output ?? '');
    const list = todos.map(({ text }, at) => `${at + 1}. ${text}`).join('\n');
    const other = short(made.at(-1)?.result?.output ?? '', 1_000) || 'The list is empty.';
    return { text: list ? ['On the list:', list] : [other] };
  }
  if (!found) return { text: [`I found no to-do like “${wish.item}” on the list.`] };
  return {
    text: [wish.verb === 'complete' ? `Marked as done: ${wish.item}.` : `Removed from the list: ${wish.item}.`],
  };
}

function answerWithoutTool(name: string, turn: Turn): Paragraphs {
  const { text, advice = [] } = answerFromSearch(turn);
  return { text: [`This agent has no tool for ${name}, so I could not use it.`, ...text], advice };
}

function paragraphsFor(plan: Plan, turn: Turn): Paragraphs {
  switch (plan.kind) {
    case 'talk':
      return { text: [plan.reply.text], advice: plan.reply.advice ? [plan.reply.advice] : [] };
    case 'missing':
      return answerWithoutTool(plan.name, turn);
    case 'named':
      return answerFromNamedTool(turn);
    case 'time':
      return answerWithTime(turn);
    case 'search':
      return answerFromSearch(turn);
    case 'todos':
      return answerAboutTodos(turn, plan);
  }
}

/** The answer once every planned call has been made, and the advice for the operator alone. */
export function answerFor(plan: Plan, turn: Turn): Required<Reply> {
  const { text, advice = [] } = paragraphsFor(plan, turn);
  const join = (paragraphs: string[]) => paragraphs.filter(Boolean).join('\n\n');
  return { text: join(text) || 'I have no answer to this.', advice: join(advice) };
}
