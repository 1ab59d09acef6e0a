/** Scripts that put no blanks between words, or join much to them. */
const scripts = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar'];
const sign = `[${scripts.map((script) => `\\p{Script=${script}}`).join('')}ー]`;
const runs = new RegExp(`${sign}(?:${sign}|\\p{M})*`, 'gu');

/**
 * A text whose words the engine can tell apart: of such scripts, pairs of neighbouring signs stand for words. So they are
 * found in an index of whatever language, and words of other scripts beside them stay as they are.
 */
export const parted = (text: string): string =>
  text.replace(runs, (run) => {
    const signs = [...run];
    if (signs.length < 2) return ` ${run} `;
    return ` ${signs
      .slice(1)
      .map((second, at) => `${signs[at]}${second}`)
      .join(' ')} `;
  });
