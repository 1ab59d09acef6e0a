import { required } from '../../../lib/required.ts';

const tail = /(?::\d{1,5}(?=[/?#\s]|$))?(?:[/?#][^\s<>"`|\\^{}「」『』【】（）、。，；！？“”„«»‹›]*)?/uy;
const closing: Readonly<Record<string, string>> = { ')': '(', ']': '[' };

/** The end of an address whose host ends here: port, path, query and fragment, without punctuation of the sentence. */
export function addressEnd(text: string, start: number, hostEnd: number): number {
  tail.lastIndex = hostEnd;
  let rest = tail.exec(text)?.[0] ?? '';
  // A quote or bracket that opens before the address closes after it.
  const quote = text[start - 1];
  if (quote === "'" && rest.includes(quote)) rest = rest.slice(0, rest.indexOf(quote));

  const open = new Map<string, number>();
  for (const sign of rest)
    if ('()[]'.includes(sign)) {
      const [kind, step] = sign in closing ? [required(closing[sign]), -1] : [sign, 1];
      open.set(kind, (open.get(kind) ?? 0) + step);
    }
  let end = rest.length;
  for (; end > 0; end--) {
    const last = rest.charAt(end - 1);
    const opening = closing[last];
    if (opening) {
      const surplus = open.get(opening) ?? 0;
      if (surplus >= 0) break;
      open.set(opening, surplus + 1);
    } else if (!".,;:!?'*…".includes(last) && last !== '_') break;
    else if (last === '_' && quote !== '_') break;
  }
  return hostEnd + end;
}
