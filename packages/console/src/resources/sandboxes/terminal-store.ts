import type { BodyOf } from '@atrium/sdk';
import type { CommandPart } from '@atrium/sdk/stream-command.ts';

export type Language = NonNullable<BodyOf<'sandboxes.exec'>['language']>;
type End = Omit<Extract<CommandPart, { event: 'end' }>, 'event'>;

export interface Piece {
  stream: 'stdout' | 'stderr';
  text: string;
}

/** A command that was run here, with what it wrote. */
export interface Entry {
  id: number;
  command: string;
  language: Language;
  /** The folder that it ran in. */
  folder: string;
  pieces: readonly Piece[];
  /** Earlier output was taken away, since there was too much. */
  isCut: boolean;
  end?: End | undefined;
  /** Why it was not run, or was lost. */
  fault?: string | undefined;
}

/** The most characters that are kept of one command. */
const most = 200_000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: programs colour their output with them.
const escapes = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])|\r(?!\n)/g;

/** The output of a command with one more piece: neighbours of the same stream are joined, and the beginning is dropped. */
export function addPiece(entry: Entry, { stream, text }: Piece): Entry {
  const plain = text.replaceAll(escapes, '');
  const last = entry.pieces.at(-1);
  let pieces: Piece[] =
    last?.stream === stream
      ? [...entry.pieces.slice(0, -1), { stream, text: last.text + plain }]
      : [...entry.pieces, { stream, text: plain }];
  let over = pieces.reduce((sum, piece) => sum + piece.text.length, 0) - most;
  if (over <= 0) return { ...entry, pieces };
  pieces = pieces.flatMap((piece) => {
    const cut = Math.min(Math.max(over, 0), piece.text.length);
    over -= cut;
    return cut === piece.text.length ? [] : [{ ...piece, text: piece.text.slice(cut) }];
  });
  return { ...entry, pieces, isCut: true };
}
