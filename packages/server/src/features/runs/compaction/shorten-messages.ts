import type { ModelMessage, ToolCallContent } from '../../../drivers/models/driver.ts';
import { cutAfter, cutBefore, maxCutShift } from '../../../lib/text/cut-text.ts';
import { estimateMessages } from '../../messages/service.ts';
import { isOpen, unitsOf } from './message-units.ts';

/**
 * Keeps the beginning and the end of a text, which usually hold its subject and its result. Never cuts through a value
 * that has to be anonymized later.
 */
function cut(text: string, most: number, exact: boolean): string {
  const note = (left: number) => `\n[… ${left} characters left out …]\n`;
  // A note as long as the removed text would save nothing.
  if (text.length <= most + note(text.length - most).length) return text;
  const tail = Math.floor(most / 3);
  const [head, rest] = [most - tail, text.length - tail];
  // While sizes are tried, it is enough to know that the text will be no longer than this.
  if (!exact) return `${text.slice(0, head)}${note(rest - head + 2 * maxCutShift)}${text.slice(rest)}`.toWellFormed();
  const [from, to] = [cutBefore(text, head), cutAfter(text, rest)];
  return `${text.slice(0, from)}${note(to - from)}${text.slice(to)}`.toWellFormed();
}

function shortCall(call: ToolCallContent, most: number, exact: boolean): ToolCallContent {
  const input = JSON.stringify(call.input) ?? '';
  const short = cut(input, most, exact);
  // Providers want an object here, so the rest of one is wrapped in another.
  return short.length < input.length - 20 ? { ...call, input: { shortened: short } } : call;
}

function shortMessage(message: ModelMessage, most: number, files: boolean, exact: boolean): ModelMessage {
  if (message.role === 'tool')
    return {
      role: 'tool',
      results: message.results.map((result) => ({ ...result, output: cut(result.output, most, exact) })),
    };
  if (message.role === 'assistant')
    return {
      role: 'assistant',
      parts: message.parts.map((part) =>
        part.type === 'text' ? { type: 'text', text: cut(part.text, most, exact) } : shortCall(part, most, exact),
      ),
    };
  return {
    role: 'user',
    parts: message.parts.map((part) => {
      if (part.type === 'text') return { type: 'text', text: cut(part.text, most, exact) };
      return files
        ? part
        : {
            type: 'text',
            text: `[The file ${part.filename.slice(0, cutBefore(part.filename, 100))} was left out: no room]`,
          };
    }),
  };
}

const longestIn = (messages: readonly ModelMessage[]) => estimateMessages(messages) * 4;

/**
 * Cuts long texts until the messages fit; undefined when that is not enough. The last user message is cut after all
 * earlier text, files last. Messages with a call that waits for approval are not cut.
 */
export function shortenMessages(messages: readonly ModelMessage[], room: number): ModelMessage[] | undefined {
  if (estimateMessages(messages) <= room) return [...messages];
  const lastUser = messages.findLastIndex(({ role }) => role === 'user');
  const open = new Set(unitsOf(messages).flatMap((unit) => (isOpen(unit.messages) ? unit.messages : [])));
  const attempt = (most: number, user: boolean, files: boolean, exact = false) =>
    messages.map((message, index) =>
      open.has(message) || (index === lastUser && !user) ? message : shortMessage(message, most, files, exact),
    );
  const fits = (...how: Parameters<typeof attempt>) => estimateMessages(attempt(...how)) <= room;
  for (const [user, files] of [
    [false, true],
    [false, false],
    [true, true],
    [true, false],
  ] as const) {
    if (!fits(0, user, files)) continue;
    let [low, high] = [0, longestIn(messages)];
    // The longest texts that fit, by halving.
    while (low + 1 < high) {
      const most = Math.floor((low + high) / 2);
      if (fits(most, user, files)) low = most;
      else high = most;
    }
    return attempt(low, user, files, true);
  }
  return undefined;
}
