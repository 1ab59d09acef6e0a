import type { Settings } from '@atrium/contract/settings/settings.ts';
import { cutBefore } from '../../lib/text/cut-text.ts';

/** The placeholder of a conversation that has messages and no title yet. */
export const defaultTitle = () => 'New conversation';

const mostOfMessage = 60;
const mostGenerated = 80;

/** Asks a model one question and returns its text. */
export type AskModel = (question: { system: string; text: string; max_tokens: number }) => Promise<string>;

export interface TitleInput {
  mode: Settings['agent_title_mode'];
  /** `agent_title_prompt`; ours when empty. */
  prompt: string;
  first_user: string;
  first_reply: string;
  ask: AskModel;
}

/** The name after the first exchange; null leaves the placeholder. */
export async function conversationTitle({ mode, ...input }: TitleInput): Promise<string | null> {
  if (mode === 'off') return null;
  return mode === 'first_message' ? firstMessageTitle(input.first_user) : generatedTitle(input);
}

/** Cut at a word where there is one, never inside a character. */
function shortenTitle(text: string, most: number): string {
  const characters = Array.from(new Intl.Segmenter().segment(text.slice(0, 20 * most)), ({ segment }) => segment);
  if (characters.length <= most) return characters.join('');
  const head = characters.slice(0, most - 1).join('');
  const space = head.search(/\s\S*$/);
  return `${(space > most / 3 ? head.slice(0, space) : head).replace(/[\s,;:.–-]+$/, '')}…`;
}

/** Removes Markdown from a line; links and code keep their text. */
const stripMarkdown = (line: string) =>
  line
    .replace(/^\s*(?:#{1,6}(?=\s|$)|>|[-*+](?=\s)|\d{1,9}[.)](?=\s)|\|)+\s*/, '')
    .replace(/!?\[([^[\]]*)\]\([^()\s]*\)/g, '$1')
    .replace(/[*`~|]+/g, '')
    .replace(/(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, '')
    .replace(/\s+/g, ' ')
    .trim();

const firstLine = (text: string) =>
  text
    .slice(0, 20_000)
    .split(/[\n\r\u2028\u2029]/)
    // Code fences are no titles.
    .filter((line) => !/^\s*(?:```|~~~)/.test(line))
    .map((line) => stripMarkdown(line.slice(0, 2_000)))
    .find((line) => /[\p{L}\p{N}\p{S}]/u.test(line)) ?? '';

export const firstMessageTitle = (text: string): string =>
  shortenTitle(firstLine(text), mostOfMessage) || defaultTitle();

const ours =
  'Write a title of at most six words for this conversation, in its language. Answer with the title only: no quotes, no full stop.';

/** Removes prefixes and quotes that models put around a title. */
const unwrapTitle = (line: string) =>
  line
    .replace(/^(?:title|titel|titre|título|titolo)\s*[:：]\s*/i, '')
    .replace(/^["'“”„«»‘’`「『\s]+|["'“”„«»‘’`」』\s]+$/gu, '')
    .replace(/[.。]$/u, '');

/** Falls back to the first message when the model fails: a title must not fail a run. */
export async function generatedTitle({
  prompt,
  first_user,
  first_reply,
  ask,
}: Omit<TitleInput, 'mode'>): Promise<string> {
  try {
    const begun = (text: string) => text.slice(0, cutBefore(text, 2_000));
    const text = `User: ${begun(first_user)}\n\nAssistant: ${begun(first_reply)}`;
    const said = await ask({ system: prompt.trim() || ours, text, max_tokens: 60 });
    const title = shortenTitle(unwrapTitle(firstLine(said)), mostGenerated);
    return title || firstMessageTitle(first_user);
  } catch {
    return firstMessageTitle(first_user);
  }
}
