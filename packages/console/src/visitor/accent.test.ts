import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accentTokens } from './accent.ts';

const luminance = (color: string) => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
const contrast = (one = '', other = '') => {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
};

test('keeps a colour that can be read, and moves others until they can', () => {
  assert.equal(accentTokens('#0a6570', '#ffffff')['--accent'], '#0a6570');
  assert.notEqual(accentTokens('#ffd400', '#ffffff')['--accent'], '#ffd400');
  assert.equal(accentTokens('#ffd400', '#ffffff')['--brand'], '#ffd400');
});

test('reaches 4.5:1 for links, soft grounds and letters with any colour, in light and dark', () => {
  for (const surface of ['#ffffff', '#181a1d'])
    for (let red = 0; red < 256; red += 51)
      for (let green = 0; green < 256; green += 51)
        for (let blue = 0; blue < 256; blue += 51) {
          const color = `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
          const tokens = accentTokens(color, surface);
          const pairs = [
            [tokens['--accent'], surface],
            [tokens['--accent'], tokens['--accent-soft']],
            [tokens['--accent'], tokens['--on-accent']],
            [tokens['--brand'], tokens['--on-brand']],
          ];
          for (const [one, other] of pairs)
            assert.ok(
              contrast(one, other) >= 4.4,
              `${color} on ${surface}: ${one} and ${other} ${contrast(one, other)}`,
            );
        }
});
