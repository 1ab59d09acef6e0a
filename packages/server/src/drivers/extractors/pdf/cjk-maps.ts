/**
 * Chinese, Japanese and Korean PDFs may name an encoding without bringing it along ("GBK-EUC-H"): a reader is expected to
 * have Adobe's tables, which turn codes into numbers of glyphs and those into characters. The library that reads PDFs
 * comes without them. For the characters alone they are not needed: what a code means is known from Unicode or from the
 * old encoding itself. So the tables are made up here, with numbers of our own, beyond those that Adobe has given away.
 */
type Collection = 'GB1' | 'CNS1' | 'Japan1' | 'Korea1';

/** Where our own numbers begin, and Adobe's for ASCII: their widths are given in the file. */
const collections: Record<Collection, { free: number; narrow: number; stem: string }> = {
  GB1: { free: 30_600, narrow: 814, stem: 'UniGB' },
  CNS1: { free: 19_200, narrow: 13_648, stem: 'UniCNS' },
  Japan1: { free: 23_100, narrow: 231, stem: 'UniJIS' },
  Korea1: { free: 18_400, narrow: 8094, stem: 'UniKS' },
};
const proportional = 1;
const [firstAscii, lastAscii] = [0x20, 0x7e];

/** Parts of Unicode that have a number; all together fewer than are free. */
const blocks: readonly (readonly [number, number])[] = [
  [0xa0, 0x4ff],
  [0x2000, 0x2bff],
  [0x2e80, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xffef],
];
const korean: typeof blocks = [
  [0x1100, 0x11ff],
  [0xac00, 0xd7a3],
];
const blocksOf = (collection: Collection) => (collection === 'Korea1' ? [...blocks, ...korean] : blocks);

/** A legacy encoding: its current label and byte ranges. `seven`: its codes lack their highest bits. */
interface Old {
  collection: Collection;
  label: string;
  lead: readonly [number, number];
  trail: readonly [number, number];
  seven?: boolean;
}
const high = [0xa1, 0xfe] as const;
const wide = [0x81, 0xfe] as const;
const old: readonly (readonly [RegExp, Old])[] = [
  [/^GB(?:pc)?-EUC-/, { collection: 'GB1', label: 'gbk', lead: high, trail: high }],
  [/^GBK(?:p|2K)?-(?:EUC-)?/, { collection: 'GB1', label: 'gb18030', lead: wide, trail: [0x40, 0xfe] }],
  [/^(?:B5pc|ETen-B5|ETenms-B5|HKscs-B5)-/, { collection: 'CNS1', label: 'big5', lead: wide, trail: [0x40, 0xfe] }],
  [/^(?:\w+)-RKSJ-/, { collection: 'Japan1', label: 'shift_jis', lead: [0x81, 0xfc], trail: [0x40, 0xfc] }],
  [/^EUC-/, { collection: 'Japan1', label: 'euc-jp', lead: high, trail: high }],
  [/^(?=[HV]$)/, { collection: 'Japan1', label: 'euc-jp', lead: high, trail: high, seven: true }],
  [/^KSC(?:ms|pc)?-(?:UHC|EUC)-/, { collection: 'Korea1', label: 'euc-kr', lead: wide, trail: [0x41, 0xfe] }],
];
/** Legacy encodings with proportional ASCII; in all remaining ones, ASCII is half as wide as a character. */
const drawnWide = /^(?:GBKp|GBpc|B5pc|90msp|90pv|83pv|KSC)/;

const hex = (value: number, bytes: number) => `<${value.toString(16).padStart(bytes * 2, '0')}>`;

class Table {
  readonly #lines: string[] = [];
  #last: { from: number; to: number; bytes: number; cid: number } | undefined;

  /** Neighbours become one range, as far as their first byte is the same: what the format asks for. */
  add(code: number, bytes: number, cid: number): void {
    const last = this.#last;
    const joins = last?.bytes === bytes && code === last.to + 1 && code >> 8 === last.from >> 8;
    if (joins && cid === last.cid + code - last.from) last.to = code;
    else {
      this.#end();
      this.#last = { from: code, to: code, bytes, cid };
    }
  }
  #end(): void {
    const last = this.#last;
    if (last) this.#lines.push(`${hex(last.from, last.bytes)} ${hex(last.to, last.bytes)} ${last.cid}`);
  }
  text(spaces: readonly string[], vertical: boolean): string {
    this.#end();
    return [
      ...[`/WMode ${vertical ? 1 : 0} def`, `${spaces.length} begincodespacerange`, ...spaces, 'endcodespacerange'],
      ...[`${this.#lines.length} begincidrange`, ...this.#lines, 'endcidrange', 'endcmap'],
    ].join('\n');
  }
}

/** Our number for each character. */
function* numbers(collection: Collection): Generator<[char: number, cid: number]> {
  let cid = collections[collection].free;
  for (const [first, last] of blocksOf(collection)) for (let char = first; char <= last; char++) yield [char, cid++];
}

function unicode(collection: Collection, name: string): string {
  const table = new Table();
  const ascii = name.includes('-HW-') ? collections[collection].narrow : proportional;
  for (let char = firstAscii; char <= lastAscii; char++) table.add(char, 2, ascii + char - firstAscii);
  for (const [char, cid] of numbers(collection)) table.add(char, 2, cid);
  return table.text(['<0000> <ffff>'], name.endsWith('V'));
}

function legacy({ collection, label, lead, trail, seven }: Old, name: string): string {
  const table = new Table();
  const decoder = new TextDecoder(label);
  const cids = new Map(numbers(collection));
  const ascii = drawnWide.test(name) && !name.includes('-HW-') ? proportional : collections[collection].narrow;
  const mask = seven ? 0x7f : 0xff;
  const put = (...bytes: number[]) => {
    const [char, more] = [...decoder.decode(Uint8Array.from(bytes))];
    const cid = more === undefined && char !== undefined ? cids.get(char.codePointAt(0) as number) : undefined;
    const code = bytes.reduce((sum, byte) => sum * 256 + (byte & mask), 0);
    if (cid !== undefined) table.add(code, bytes.length, cid);
  };
  if (!seven) for (let char = firstAscii; char <= lastAscii; char++) table.add(char, 1, ascii + char - firstAscii);
  const kana = label === 'shift_jis';
  if (kana) for (let byte = 0xa1; byte <= 0xdf; byte++) put(byte);
  for (let first = lead[0]; first <= lead[1]; first++)
    if (!(kana && first >= 0xa0 && first <= 0xdf))
      for (let second = trail[0]; second <= trail[1]; second++) put(first, second);
  const two = (from: number, to: number) =>
    [[from, trail[0]] as const, [to, trail[1]] as const]
      .map(([first, second]) => hex((first & mask) * 256 + (second & mask), 2))
      .join(' ');
  const spaces = kana
    ? ['<00> <80>', two(0x81, 0x9f), '<a0> <df>', two(0xe0, 0xfc)]
    : [...(seven ? [] : ['<00> <80>']), two(lead[0], lead[1])];
  return table.text(spaces, name.endsWith('V'));
}

/** From our numbers, and Adobe's for ASCII, to characters. */
function characters(collection: Collection): string {
  const lines: string[] = [];
  const range = (cid: number, length: number, char: number) =>
    lines.push(`${hex(cid, 2)} ${hex(cid + length - 1, 2)} ${hex(char, 2)}`);
  for (const first of [proportional, collections[collection].narrow])
    range(first, lastAscii - firstAscii + 1, firstAscii);
  let cid = collections[collection].free;
  for (const [first, last] of blocksOf(collection)) {
    range(cid, last - first + 1, first);
    cid += last - first + 1;
  }
  return ['1 begincodespacerange', '<0000> <ffff>', 'endcodespacerange', `${lines.length} beginbfrange`]
    .concat(lines, 'endbfrange', 'endcmap')
    .join('\n');
}

function written(name: string): string | undefined {
  const [, ordering] = /^Adobe-(GB1|CNS1|Japan1|Korea1)-UCS2$/.exec(name) ?? [];
  if (ordering) return characters(ordering as Collection);
  for (const [collection, { stem }] of Object.entries(collections))
    if (name.startsWith(stem) && /-(?:UCS2|UTF16)-/.test(name)) return unicode(collection as Collection, name);
  const found = old.find(([pattern]) => pattern.test(name));
  return found && legacy(found[1], name);
}

/** The table of this name, in the words of the format; undefined where there is none. */
export const cjkMap = (name: string): Uint8Array | undefined => {
  const text = written(name);
  return text === undefined ? undefined : new TextEncoder().encode(text);
};
