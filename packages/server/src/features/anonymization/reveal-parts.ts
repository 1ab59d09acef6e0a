import type { ModelPart } from '../../drivers/models/driver.ts';
import type { Placeholders } from './placeholders.ts';
import { makeTextRevealer, revealValue } from './reveal.ts';

/** Reveals an answer part by part: one part may become none, one or two, since the start of a placeholder is held back. */
function makePartRevealer(known: Placeholders): (part: ModelPart) => readonly ModelPart[] {
  const texts = { text: makeTextRevealer(known), reasoning: makeTextRevealer(known) };
  let saying: 'text' | 'reasoning' = 'text';
  return (part) => {
    if (part.type === 'warning') return [part];
    const parts: ModelPart[] = [];
    if (part.type !== saying) {
      const rest = texts[saying].end();
      if (rest) parts.push({ type: saying, text: rest });
    }
    if (part.type === 'text' || part.type === 'reasoning') {
      saying = part.type;
      const text = texts[saying].push(part.text);
      if (text) parts.push(text === part.text ? part : { type: saying, text });
    } else if (part.type === 'tool-call') parts.push({ ...part, input: revealValue(part.input, known) });
    else parts.push(part);
    return parts;
  };
}

/** Reveals an answer as it comes. A part costs one promise, as it does where nothing is revealed. */
export function revealParts(parts: AsyncIterable<ModelPart>, known: Placeholders): AsyncIterable<ModelPart> {
  return {
    [Symbol.asyncIterator](): AsyncIterator<ModelPart> {
      const source = parts[Symbol.asyncIterator]();
      const reveal = makePartRevealer(known);
      let ready: readonly ModelPart[] = [];
      let at = 0;
      const pull = (
        result: IteratorResult<ModelPart>,
      ): IteratorResult<ModelPart> | Promise<IteratorResult<ModelPart>> => {
        if (result.done) return result;
        ready = reveal(result.value);
        at = 0;
        return next();
      };
      function next(): IteratorResult<ModelPart> | Promise<IteratorResult<ModelPart>> {
        const value = ready[at];
        if (value === undefined) return source.next().then(pull);
        at++;
        return { done: false, value };
      }
      return {
        next: async () => next(),
        return: async () => (await source.return?.()) ?? { done: true, value: undefined },
      };
    },
  };
}
