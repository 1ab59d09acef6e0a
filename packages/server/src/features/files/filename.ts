import { required } from '../../lib/required.ts';

const maxLength = 255;

/** Invisible characters that turn the reading direction, so that `gpj.exe` reads as `exe.jpg`. */
const misleading = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Cleans the file name of a client for display and download: no path, no invisible characters, not too long. Stored
 * bytes are never named by it.
 */
export function cleanFilename(given: string): string {
  const name = required(given.toWellFormed().split(/[/\\]/).at(-1))
    .replaceAll(/\p{Cc}/gu, '')
    .replaceAll(misleading, '')
    .trim();
  if (/^\.*$/.test(name)) return 'file';
  const characters = [...name];
  if (characters.length <= maxLength) return name;
  // The ending says what it is: the middle of the name goes instead.
  const ending = /\.[^.\s]{1,15}$/.exec(name)?.[0] ?? '';
  return characters.slice(0, maxLength - [...ending].length).join('') + ending;
}

/** Its lower-case ending without the dot; empty when there is none. */
export const extensionOf = (filename: string): string => /\.([^.]+)$/.exec(filename)?.[1]?.toLowerCase() ?? '';
