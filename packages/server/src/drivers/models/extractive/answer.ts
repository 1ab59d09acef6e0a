import { type Passage, passagesIn, toolTitle } from './passages.ts';
import type { Plan } from './plan.ts';
import { type Quote, rankSentences } from './rank-sentences.ts';
import type { Turn, TurnToolCall } from './read-turn.ts';
import { how } from './small-talk.ts';
import { splitSentences } from './split-sentences.ts';
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

const honest = `I am the built-in extractive model: I quote what I find and can't write or reason. ${how}`;

/** The first sentences of passages that were not found by their words. */
function nearest(passages: readonly Passage[], count: number): string[] {
  return passages
    .map((passage) => ({ ...passage, text: splitSentences(passage.text.slice(0, 2_000)).slice(0, 2).join(' ') }))
    .filter(({ text }) => text.length >= 30)
    .slice(0, count)
    .map((passage) => quoted({ ...passage, text: short(passage.text, 400) }));
}

function answerFromSearch(turn: Turn): string[] {
  const found = foundBy(turn.made);
  const quotes = rankSentences(turn.question, [...found, ...turn.given]);
  const notes = [
    ...failuresOf(turn.made),
    ...turn.unreadable.map((name) => `I can't read ${name}: it is no text, and reading it needs a language model.`),
  ];
  if (quotes.length > 0) return ['This is what I found:', quotes.map(quoted).join('\n'), ...notes];
  const places = [...new Set(turn.made.filter(({ result }) => !result?.is_error).map(({ name }) => toolTitle(name)))];
  const where = places.length ? `in ${places.join(', ')}` : 'in what I have at hand';
  // A vector search may have found passages in other words; the reader judges whether they answer.
  const near = nearest(found, 2);
  const besides =
    near.length > 0 ? ['The nearest passages that came back, in other words than yours:', near.join('\n')] : [];
  return [`I found nothing about this ${where}.`, ...besides, ...notes, honest];
}

/** The result of a tool that the message named: its best sentences, or all of it. */
function answerFromNamedTool(turn: Turn): string[] {
  const failures = failuresOf(turn.made);
  if (failures.length > 0) return failures;
  const passages = foundBy(turn.made);
  const name = turn.made[0]?.name ?? 'The tool';
  if (passages.length === 0) return [`${name} ran and returned nothing.`];
  const quotes = rankSentences(turn.question, passages);
  if (quotes.length > 0 && passages.length > 1) return ['This is what I found:', quotes.map(quoted).join('\n')];
  return [
    `${name} returned:`,
    ...passages.slice(0, 5).map((passage) => `${short(passage.text.trim(), 1_000)} ${source(passage)}`),
  ];
}

function answerWithTime(turn: Turn): string[] {
  const output = turn.made.find(({ name, result }) => name === 'clock_now' && result && !result.is_error)?.result
    ?.output;
  if (output === undefined) return failuresOf(turn.made);
  try {
    const { utc, local, time_zone } = JSON.parse(output) as Record<string, unknown>;
    if (utc && local)
      return [time_zone === 'UTC' ? `It is ${local} (UTC).` : `It is ${local} (${time_zone}), ${utc} in UTC.`];
  } catch {
    // Another clock tool may answer in another format, which is quoted as it is.
  }
  return [short(output, 300)];
}

function answerAboutTodos({ made }: Turn, { wish, found }: Plan & { kind: 'todos' }): string[] {
  const failures = failuresOf(made);
  if (failures.length > 0) return failures;
  if (wish.verb === 'add') return [`Added to the list: ${wish.items.join('; ')}.`];
  if (wish.verb === 'read') {
    const todos = todosIn(made.at(-1)?.result?.output ?? '');
    const list = todos.map(({ text }, at) => `${at + 1}. ${text}`).join('\n');
    return list ? ['On the list:', list] : [short(made.at(-1)?.result?.output ?? '', 1_000) || 'The list is empty.'];
  }
  if (!found) return [`I found no to-do like “${wish.item}” on the list.`];
  return [wish.verb === 'complete' ? `Marked as done: ${wish.item}.` : `Removed from the list: ${wish.item}.`];
}

const missing = (name: string) => [`This agent has no tool for ${name}, so I could not use it.`];

/** The answer once every planned call has been made. */
export function answerFor(plan: Plan, turn: Turn): string {
  const paragraphs = {
    talk: () => [plan.kind === 'talk' ? plan.text : ''],
    missing: () => [...missing(plan.kind === 'missing' ? plan.name : ''), ...answerFromSearch(turn)],
    named: () => answerFromNamedTool(turn),
    time: () => answerWithTime(turn),
    search: () => answerFromSearch(turn),
    todos: () => (plan.kind === 'todos' ? answerAboutTodos(turn, plan) : []),
  }[plan.kind]();
  return paragraphs.filter(Boolean).join('\n\n') || honest;
}
