import { useLocation, useRouter } from '@tanstack/react-router';
import { lexer, type Tokens, walkTokens } from 'marked';
import { type MouseEvent, useEffect, useMemo, useRef } from 'react';
import { Block } from '../chat/markdown/block.tsx';
import { Inline } from '../chat/markdown/inline.tsx';
import { helpTexts } from '../text/help.ts';
import { anchorOf, guideLink } from './guide-link.ts';

const noSources: readonly never[] = [];

/** The blocks of a guide without its name, which the page shows. Links lead to other guides. */
function readGuide(text: string, guide: string) {
  const tokens = lexer(text);
  walkTokens(tokens, (token) => {
    // A link to a file that the console does not have is shown as text: an address without a path leads nowhere.
    if (token.type === 'link') (token as Tokens.Link).href = guideLink((token as Tokens.Link).href, guide) ?? 'none';
  });
  const blocks = tokens.filter(
    (token) => token.type !== 'space' && !(token.type === 'heading' && token['depth'] === 1),
  );
  const headings = blocks.filter((token): token is Tokens.Heading => token.type === 'heading' && token['depth'] === 2);
  return { blocks, headings };
}

export function GuideText({ text, guide }: { text: string; guide: string }) {
  const { blocks, headings } = useMemo(() => readGuide(text, guide), [text, guide]);
  const article = useRef<HTMLElement>(null);
  const router = useRouter();
  const hash = useLocation({ select: (location) => location.hash });
  useEffect(() => {
    const place = hash && article.current?.querySelector<HTMLElement>(`[id="${CSS.escape(hash)}"]`);
    if (!place) return;
    place.scrollIntoView();
    place.focus({ preventScroll: true });
  }, [hash]);
  const follow = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const href = link?.getAttribute('href') ?? '';
    if (!href.startsWith('/help') || event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    router.history.push(href);
  };
  return (
    <div className="mx-auto flex max-w-260 gap-10 px-5 py-5 max-narrow:px-3">
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the links inside take the keys; this follows their clicks without loading the page again. */}
      <article
        ref={article}
        onClick={follow}
        className="min-w-0 max-w-184 flex-1 text-reading wrap-anywhere [&_a]:text-accent"
      >
        {blocks.map((token, index) =>
          token.type === 'heading' ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: blocks are named by their place.
            <GuideHeading key={index} token={token as Tokens.Heading} />
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: blocks are named by their place.
            <Block key={index} token={token} sources={noSources} />
          ),
        )}
      </article>
      {headings.length > 1 && (
        <nav aria-label={helpTexts.onThisPage} className="sticky top-5 w-52 flex-none self-start max-wide:hidden">
          <p className="mb-1.5 text-dense font-semibold">{helpTexts.onThisPage}</p>
          <ul className="flex flex-col border-l border-line pl-3 text-dense">
            {headings.map((heading) => (
              <li key={heading.text}>
                <a
                  href={`/help/${guide}#${anchorOf(heading.text)}`}
                  onClick={follow}
                  className="block py-1 text-text-2 hover:text-text"
                >
                  <Inline tokens={heading.tokens} sources={noSources} />
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </div>
  );
}

function GuideHeading({ token }: { token: Tokens.Heading }) {
  const Tag = token.depth === 2 ? 'h2' : 'h3';
  const size = token.depth === 2 ? 'text-heading mt-7' : 'text-section mt-5';
  return (
    <Tag id={anchorOf(token.text)} tabIndex={-1} className={`mb-2 scroll-mt-4 font-semibold outline-none ${size}`}>
      <Inline tokens={token.tokens} sources={noSources} />
    </Tag>
  );
}
