/** A piece of a template: literal text, an argument of the call, or a secret. */
type Piece = { text: string } | { argument: string } | { secret: string };

const place = /\{\{([^{}]{1,250})\}\}/g;
const secretStart = 'secret.';

export function piecesOf(template: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const match of template.matchAll(place)) {
    if (match.index > at) pieces.push({ text: template.slice(at, match.index) });
    const name = (match[1] ?? '').trim();
    pieces.push(name.startsWith(secretStart) ? { secret: name.slice(secretStart.length) } : { argument: name });
    at = match.index + match[0].length;
  }
  if (at < template.length) pieces.push({ text: template.slice(at) });
  return pieces;
}

/** The values for the slots. Filled values are never parsed again, so an argument can't refer to a secret. */
export interface Fill {
  argument(name: string): unknown;
  secret(name: string): string;
}

export const asText = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);

/** Fills the template; `write` serializes each value and gets whether it stands inside of quotes. */
export function filled(template: string, fill: Fill, write: (value: unknown, quoted: boolean) => string): string {
  let quoted = false;
  const written = (piece: Piece) => {
    if ('secret' in piece) return write(fill.secret(piece.secret), quoted);
    if ('argument' in piece) return write(fill.argument(piece.argument), quoted);
    for (const [sign] of piece.text.matchAll(/\\.|"/gs)) if (sign === '"') quoted = !quoted;
    return piece.text;
  };
  return piecesOf(template).map(written).join('');
}

/** All names in the texts of a value, as arguments and as secrets. */
export function namesIn(value: unknown): { arguments: Set<string>; secrets: Set<string> } {
  const found = { arguments: new Set<string>(), secrets: new Set<string>() };
  const look = (item: unknown): void => {
    if (typeof item === 'string') {
      for (const piece of piecesOf(item)) {
        if ('argument' in piece) found.arguments.add(piece.argument);
        if ('secret' in piece) found.secrets.add(piece.secret);
      }
    } else if (typeof item === 'object' && item !== null) for (const inner of Object.values(item)) look(inner);
  };
  look(value);
  return found;
}
