import { anchorOf } from './guide-link.ts';

export interface GuideHit {
  heading: string;
  /** Where the section begins; empty: the guide itself. */
  anchor: string;
  /** Whether its heading has all of the words. */
  isNamed: boolean;
  excerpt: { text: string; marks: { start: number; end: number }[] };
}

/** Markdown as people read it: without marks, addresses of links and rules of tables. */
const plain = (text: string) =>
  text
    .replaceAll(/\]\([^)]*\)/g, '')
    .replaceAll(/<br>|[*`[\]|]|^-+$/gm, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

const before = 40;
const longest = 180;

function excerptOf(text: string, words: readonly string[]): GuideHit['excerpt'] {
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0);
  const first = places.length > 0 ? Math.min(...places) : 0;
  const from = Math.max(0, first - before);
  const shown = (from > 0 ? '…' : '') + text.slice(from, from + longest) + (from + longest < text.length ? '…' : '');
  const marks = words
    .flatMap((word) => {
      const start = shown.toLowerCase().indexOf(word);
      return start < 0 ? [] : [{ start, end: start + word.length }];
    })
    .sort((one, other) => one.start - other.start);
  return { text: shown, marks: marks.filter(({ start }, at) => at === 0 || start >= (marks[at - 1]?.end ?? 0)) };
}

/** The sections of a guide that have all of the words, those with all of them in the heading first. */
export function findInGuide(text: string, asked: string): GuideHit[] {
  const words = asked.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  // A line of code that begins with # is no heading.
  const marked = text.replaceAll(/^```[\s\S]*?^```/gm, (code) => code.replaceAll(/^#/gm, ' #'));
  const sections = marked.split(/^(?=#{1,4} )/m).map((section) => {
    const [, heading = ''] = /^#{1,4} (.*)/.exec(section) ?? [];
    return { heading, isFirst: section.startsWith('# '), body: plain(section.replace(/^#.*/, '')) };
  });
  return sections
    .filter(({ heading, body }) => words.every((word) => `${heading} ${body}`.toLowerCase().includes(word)))
    .map(({ heading, isFirst, body }) => ({
      ...{ heading, anchor: isFirst ? '' : anchorOf(heading), excerpt: excerptOf(body, words) },
      isNamed: words.every((word) => heading.toLowerCase().includes(word)),
    }))
    .sort((one, other) => Number(other.isNamed) - Number(one.isNamed));
}
