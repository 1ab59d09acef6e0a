type Color = readonly [red: number, green: number, blue: number];

const parse = (color: string): Color =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)) as unknown as Color;
const write = (color: Color) => `#${color.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
const mix = (from: Color, to: Color, share: number) =>
  from.map((part, index) => part + ((to[index] ?? 0) - part) * share) as unknown as Color;

/** As WCAG defines it. */
function luminance(color: Color): number {
  const [red = 0, green = 0, blue = 0] = color.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: Color, other: Color): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

const [white, black]: Color[] = [
  [255, 255, 255],
  [13, 15, 18],
];

/** Letters that can be read on a colour. */
const lettersOn = (color: Color) =>
  contrast(color, white as Color) >= contrast(color, black as Color) ? (white as Color) : (black as Color);

/**
 * The tokens of a deployment's colour on a surface. The mark has the colour as it was given; links and buttons have it
 * moved towards the text until its contrast is 4.5:1, on the surface and on its own soft ground.
 */
export function accentTokens(given: string, surface: string): Record<string, string> {
  const [brand, ground] = [parse(given), parse(surface)];
  const away = lettersOn(ground);
  const softOf = (color: Color) => mix(ground, color, 0.12);
  const candidates = Array.from({ length: 21 }, (_, step) => mix(brand, away, step / 20));
  const isReadable = (color: Color) => contrast(color, ground) >= 4.5 && contrast(color, softOf(color)) >= 4.5;
  const accent = candidates.find(isReadable) ?? away;
  return {
    ...{ '--brand': given, '--on-brand': write(lettersOn(brand)) },
    ...{ '--accent': write(accent), '--on-accent': write(lettersOn(accent)) },
    '--accent-hover': write(mix(accent, away, 0.15)),
    '--accent-soft': write(softOf(accent)),
    '--accent-line': write(mix(ground, accent, 0.4)),
  };
}

/** Gives the page the colour of its deployment. */
export function applyAccent(given: string | null): void {
  if (!given || !/^#[\da-f]{6}$/i.test(given)) return;
  const { style, dataset } = document.documentElement;
  const tokens = accentTokens(given, dataset['theme'] === 'dark' ? '#181a1d' : '#ffffff');
  for (const [name, value] of Object.entries(tokens)) style.setProperty(name, value);
}
