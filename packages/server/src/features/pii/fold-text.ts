/**
 * A text as the recognisers read it: all digits are 0 to 9, full-width letters and signs, unusual spaces and dashes are
 * plain, and invisible characters are removed, so that they can't hide a card number.
 */
export interface Folded {
  text: string;
  /** The position in the original text of a span that starts, or ends, here in the folded text. */
  startOf(index: number): number;
  endOf(index: number): number;
}

/** The zero of each script whose digits are folded; its other nine digits follow it. */
const zeros = [
  0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0xf20, 0x1040,
  0x17e0, 0x1810, 0xff10,
];

const plain = new Map<string, string>();
for (const zero of zeros)
  for (let digit = 0; digit < 10; digit++) plain.set(String.fromCharCode(zero + digit), `${digit}`);
for (let code = 0x41; code <= 0x5a; code++) {
  plain.set(String.fromCharCode(code + 0xfee0), String.fromCharCode(code));
  plain.set(String.fromCharCode(code + 0xfee0 + 32), String.fromCharCode(code + 32));
}
// Full-width commas, full stops and brackets end a value in the texts that use them, so they are not folded.
for (const sign of '@.-+_/:') plain.set(String.fromCharCode(sign.charCodeAt(0) + 0xfee0), sign);
for (const space of '\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000')
  plain.set(space, ' ');
for (const dash of '\u2010\u2011\u2012\u2013\u2212\ufe63') plain.set(dash, '-');
plain.set('\u2019', "'");

const outside = /[^\0-\x7f]+/g;
const unseen = /\u034f|[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;

const same = (index: number) => index;

export function fold(text: string): Folded {
  const folded = text.replace(outside, (run) => {
    let out = '';
    for (let at = 0; at < run.length; at++) out += plain.get(run.charAt(at)) ?? run.charAt(at);
    return out;
  });
  const gone = [...folded.matchAll(unseen)].map(({ index }) => index);
  if (!gone.length) return { text: folded, startOf: same, endOf: same };

  const origin = new Uint32Array(folded.length - gone.length);
  let next = 0;
  for (let index = 0, to = 0; index < folded.length; index++)
    if (index === gone[next]) next++;
    else origin[to++] = index;
  return {
    text: folded.replace(unseen, ''),
    startOf: (index) => origin[index] as number,
    endOf: (index) => (origin[index - 1] as number) + 1,
  };
}
