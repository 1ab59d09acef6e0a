import { TextDecoder } from 'node:util';

/** Usual names that the Encoding Standard does not list, with hyphens. */
const aliases: Record<string, string> = {
  ansi: 'windows-1252',
  'latin-1': 'latin1',
  'latin-2': 'latin2',
  'latin-9': 'iso-8859-15',
  latin9: 'iso-8859-15',
  'utf-8-sig': 'utf-8',
  cp65001: 'utf-8',
  'utf-16-le': 'utf-16le',
  'utf-16-be': 'utf-16be',
  cp932: 'shift_jis',
  ms932: 'shift_jis',
  cp936: 'gbk',
  cp949: 'euc-kr',
  cp950: 'big5',
  'mac-roman': 'macintosh',
  cp866: 'ibm866',
};

/** The name that the decoder uses for an encoding, by any of its usual names; undefined when there is no decoder. */
export function findEncoding(name: string): string | undefined {
  const written = name.trim().toLowerCase();
  const plain = written.replaceAll(/[_ ]/g, '-').replace(/^windows-?(?=\d)/, 'windows-');
  try {
    return new TextDecoder(aliases[plain] ?? plain).encoding;
  } catch {
    return undefined;
  }
}
