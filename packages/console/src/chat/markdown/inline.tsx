import type { Token, Tokens } from 'marked';
import { Fragment, type ReactNode } from 'react';
import { Citations } from '../citations/citation.tsx';
import { type Source, splitCitations } from '../citations/sources.ts';
import { LinkHost } from './link-host.tsx';
import { safeHref } from './safe-href.ts';

/** Entities that the lexer leaves in texts. React would show them as they are written. */
const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': '\u00a0',
};
const plain = (text: string) =>
  text.replaceAll(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (entity) => entities[entity] ?? entity);

function Words({ text, sources }: { text: string; sources: readonly Source[] }): ReactNode {
  if (sources.length === 0) return plain(text);
  const known = new Set(sources.map(({ number }) => number));
  return splitCitations(text, known).map((piece, index) =>
    typeof piece === 'string' ? (
      plain(piece)
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have no other name.
      <Citations key={index} numbers={piece} sources={sources} />
    ),
  );
}

interface InlineProps {
  tokens: readonly Token[] | undefined;
  sources: readonly Source[];
}

/** Words in a line. Whatever is not known is shown as the text that it is. */
export function Inline({ tokens = [], sources }: InlineProps): ReactNode {
  return tokens.map((token, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the tokens of a line have no other name.
    <Fragment key={index}>
      <InlineToken token={token} sources={sources} />
    </Fragment>
  ));
}

function InlineToken({ token, sources }: { token: Token; sources: readonly Source[] }): ReactNode {
  const inner = 'tokens' in token && token.tokens ? <Inline tokens={token.tokens} sources={sources} /> : undefined;
  switch (token.type) {
    case 'strong':
      return <strong className="font-semibold">{inner}</strong>;
    case 'em':
      return <em>{inner}</em>;
    case 'del':
      return <del>{inner}</del>;
    case 'br':
      return <br />;
    case 'codespan':
      return (
        <code dir="ltr" className="[unicode-bidi:isolate] rounded-1 bg-sunken px-1 py-0.5 font-mono text-[0.86em]">
          {(token as Tokens.Codespan).text}
        </code>
      );
    case 'link': {
      const { href, text } = token as Tokens.Link;
      const target = safeHref(href, location.origin);
      if (!target) return inner;
      const elsewhere = target.own ? {} : { target: '_blank', rel: 'noopener noreferrer' };
      return (
        <a
          href={target.href}
          className="underline decoration-accent-line underline-offset-2 hover:decoration-accent"
          {...elsewhere}
        >
          {inner}
          <LinkHost href={href} text={plain(text)} />
        </a>
      );
    }
    case 'image':
      // Pictures of other hosts would tell them who reads; they are named, not loaded.
      return <span className="text-text-2">{(token as Tokens.Image).text || (token as Tokens.Image).href}</span>;
    case 'checkbox':
      return null;
    case 'escape':
      return plain((token as Tokens.Escape).text);
    case 'text':
      return inner ?? <Words text={(token as Tokens.Text).text} sources={sources} />;
    default:
      return token.raw;
  }
}
