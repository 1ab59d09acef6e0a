const fence = /^ {0,3}(`{3,}|~{3,})/gm;

/** The fence that is open at the end of a text; undefined when none is. */
function openFence(text: string): string | undefined {
  let open: string | undefined;
  for (const [, mark = ''] of text.matchAll(fence)) {
    if (open === undefined) open = mark;
    else if (mark[0] === open[0] && mark.length >= open.length) open = undefined;
  }
  return open;
}

/** Where to cut best before a limit: between paragraphs, lines, sentences, words, and else between characters. */
function cutBefore(text: string, from: number, limit: number): number {
  const end = from + limit;
  if (text.length <= end) return text.length;
  for (const border of ['\n\n', '\n', '. ', ' ']) {
    const at = text.lastIndexOf(border, end - border.length);
    // A piece should not be much shorter than it could be.
    if (at > from + limit / 2) return at + border.length;
  }
  const half = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
  return half ? end - 1 : end;
}

/**
 * Cuts off the next piece of a text that is sent in several messages, and says where the following one begins. A code
 * block that is cut is closed and opened again, so that each piece is valid by itself.
 */
export function nextTextPiece(text: string, from: number, limit: number): { piece: string; to: number } {
  const open = openFence(text.slice(0, from));
  const to = cutBefore(text, from, limit - 20);
  const still = to < text.length ? openFence(text.slice(0, to)) : undefined;
  const body = text.slice(from, to);
  const piece = `${open ? `${open}\n` : ''}${body}${still ? `${body.endsWith('\n') ? '' : '\n'}${still}` : ''}`;
  return { piece, to };
}
