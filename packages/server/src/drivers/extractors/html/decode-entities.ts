/** The names of U+00A0 to U+00FF, in this order. */
const latin =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro ' +
  'para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil ' +
  'Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave ' +
  'Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml ' +
  'igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute ' +
  'thorn yuml';

const names = new Map<string, string>([
  ...latin.split(' ').map((name, index): [string, string] => [name, String.fromCharCode(0xa0 + index)]),
  ...Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", hellip: '…', mdash: '—', ndash: '–' }),
  ...Object.entries({ lsquo: '‘', rsquo: '’', sbquo: '‚', ldquo: '“', rdquo: '”', bdquo: '„', bull: '•', euro: '€' }),
  ...Object.entries({ trade: '™', larr: '←', uarr: '↑', rarr: '→', darr: '↓', minus: '−', le: '≤', ge: '≥', ne: '≠' }),
  ...Object.entries({ lsaquo: '‹', rsaquo: '›', dagger: '†', permil: '‰', infin: '∞', asymp: '≈', thinsp: ' ' }),
  ...Object.entries({ ensp: ' ', emsp: ' ', zwnj: '', zwj: '', lrm: '', rlm: '', OElig: 'Œ', oelig: 'œ', check: '✓' }),
]);

function character(code: number): string {
  const shown = code >= 0x20 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return shown || code === 9 || code === 10 ? String.fromCodePoint(code) : '\ufffd';
}

const reference = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z][a-zA-Z0-9]{1,31}));?/g;

/** The characters that references stand for; one that we do not know is left as it is written. */
export const decodeHtmlEntities = (text: string): string =>
  text.includes('&')
    ? text.replaceAll(reference, (written, decimal?: string, hex?: string, name?: string) => {
        if (name !== undefined) return names.get(name) ?? written;
        return character(decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal));
      })
    : text;
