import { useState } from 'react';
import { cx } from './cx.ts';

// The second colour of charts is too light for letters on it.
const colours = ['bg-c1', 'bg-c2-deep', 'bg-c3', 'bg-c4', 'bg-c5', 'bg-c6'] as const;

/** The same name always has the same colour. */
const colourOf = (name: string) =>
  colours[[...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % colours.length];
const initialsOf = (name: string) => {
  const words = name.trim().split(/\s+/);
  const letters =
    words.length > 1 ? [words[0], words.at(-1)].map((word) => [...(word ?? '')][0]) : [...(words[0] ?? '')].slice(0, 2);
  return letters.join('').toUpperCase() || '?';
};

interface AvatarProps {
  name: string;
  /** Agents are rounded squares, people are circles. */
  kind: 'agent' | 'person';
  /** A picture of our own server, or a data address. */
  picture?: string | null | undefined;
  size?: number;
}

export function Avatar({ name, kind, picture, size = 26 }: AvatarProps) {
  /** A picture that is gone, or that this person may not see: the letters stand for it. */
  const [broken, setBroken] = useState<string>();
  const round = kind === 'person' ? 'rounded-full' : size > 30 ? 'rounded-3' : 'rounded-2';
  const own = picture && (picture.startsWith('data:image/') || picture.startsWith('/'));
  if (own && picture !== broken)
    return (
      <img
        src={picture}
        alt=""
        width={size}
        height={size}
        onError={() => setBroken(picture)}
        className={cx('flex-none object-cover', round)}
        style={{ width: size, height: size }}
      />
    );
  return (
    <span
      aria-hidden
      className={cx('grid flex-none place-items-center font-semibold text-on-color', round, colourOf(name))}
      style={{ width: size, height: size, fontSize: Math.round(size * 0.44) }}
    >
      {initialsOf(name)}
    </span>
  );
}
