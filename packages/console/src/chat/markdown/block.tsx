import { Check } from 'lucide-react';
import type { Token, Tokens } from 'marked';
import { memo, type ReactNode } from 'react';
import { t } from '../../text/en.ts';
import type { Source } from '../citations/sources.ts';
import { CodeBlock } from './code-block.tsx';
import { Inline } from './inline.tsx';
import { ScrollFrame } from './scroll-frame.tsx';

interface BlockProps {
  token: Token;
  sources: readonly Source[];
  /** Within a list or a quote, whose direction it has. */
  nested?: boolean;
}

const sides = { left: 'start', right: 'end', center: 'center' } as const;
const aligned = (align: string | null) =>
  align ? { textAlign: sides[align as keyof typeof sides] ?? ('start' as const) } : undefined;

function Table({ token, sources }: { token: Tokens.Table; sources: readonly Source[] }) {
  const cell = 'border-b border-line px-3 py-1.5 text-start align-top wrap-normal';
  // Its own words say to which side its columns go, not those of the answer around it.
  return (
    <ScrollFrame label={t.chat.table} dir="auto" className="my-3 overflow-x-auto rounded-3 border border-line">
      <table className="num w-full text-dense">
        <thead className="bg-bg">
          <tr>
            {token.header.map((head, index) => (
              <th
                // biome-ignore lint/suspicious/noArrayIndexKey: columns are named by their place.
                key={index}
                scope="col"
                style={aligned(head.align)}
                className={`${cell} font-medium whitespace-nowrap`}
              >
                <Inline tokens={head.tokens} sources={sources} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {token.rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows are named by their place.
            <tr key={at} className="last:*:border-b-0">
              {row.map((field, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns are named by their place.
                <td key={index} style={aligned(field.align)} className={cell}>
                  <Inline tokens={field.tokens} sources={sources} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollFrame>
  );
}

function List({ token, sources, nested }: BlockProps & { token: Tokens.List }) {
  const Tag = token.ordered ? 'ol' : 'ul';
  return (
    <Tag
      dir={nested ? undefined : 'auto'}
      {...(token.ordered && token.start !== '' && { start: token.start })}
      className={`my-2 ps-6 ${token.ordered ? 'list-decimal' : 'list-disc'} marker:text-text-3`}
    >
      {token.items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries are named by their place.
        <li key={index} className={item.task ? 'relative -ms-6 my-1.5 list-none ps-6.5' : 'my-1 ps-0.5'}>
          {item.task && <Task done={Boolean(item.checked)} label={item.text} />}
          <Blocks tokens={item.tokens} sources={sources} />
        </li>
      ))}
    </Tag>
  );
}

/** The box of a task of the agent's list. People only read it. */
const Task = ({ done, label }: { done: boolean; label: string }) => (
  // biome-ignore lint/a11y/useFocusableInteractive: it is read, not pressed.
  // biome-ignore lint/a11y/useSemanticElements: a field that is off is drawn too pale to be read.
  <span
    role="checkbox"
    aria-checked={done}
    aria-readonly
    aria-label={label}
    className={`absolute start-0 top-1 grid size-4 place-items-center rounded-1 border ${done ? 'border-accent bg-accent text-on-accent' : 'border-control'}`}
  >
    {done && <Check size={12} strokeWidth={3} aria-hidden />}
  </span>
);

function Heading({ token, sources, nested }: BlockProps & { token: Tokens.Heading }) {
  // The page has the first heading, and each message stands below it.
  const Tag = (['h3', 'h3', 'h4', 'h4', 'h5', 'h6'] as const)[token.depth - 1] ?? 'h6';
  const size = token.depth === 1 ? 'text-heading' : token.depth === 2 ? 'text-[17px] leading-6' : 'text-section';
  return (
    <Tag dir={nested ? undefined : 'auto'} className={`mt-4 mb-1.5 font-semibold first:mt-0 ${size}`}>
      <Inline tokens={token.tokens} sources={sources} />
    </Tag>
  );
}

function BlockToken({ token, sources, nested = false }: BlockProps): ReactNode {
  switch (token.type) {
    case 'space':
    case 'def':
    case 'checkbox':
      return null;
    case 'heading':
      return <Heading token={token as Tokens.Heading} sources={sources} nested={nested} />;
    case 'paragraph':
      return (
        <p dir={nested ? undefined : 'auto'} className="my-2.5 first:mt-0 last:mb-0">
          <Inline tokens={token.tokens} sources={sources} />
        </p>
      );
    case 'text':
      return token.tokens ? <Inline tokens={token.tokens} sources={sources} /> : token.raw;
    case 'code':
      return <CodeBlock code={(token as Tokens.Code).text} language={(token as Tokens.Code).lang ?? ''} />;
    case 'list':
      return <List token={token as Tokens.List} sources={sources} nested={nested} />;
    case 'table':
      return <Table token={token as Tokens.Table} sources={sources} />;
    case 'blockquote':
      return (
        <blockquote dir={nested ? undefined : 'auto'} className="my-3 border-s-3 border-line-2 ps-3.5 text-text-2">
          <Blocks tokens={token.tokens ?? []} sources={sources} />
        </blockquote>
      );
    case 'hr':
      return <hr className="my-4 border-line" />;
    default:
      // HTML and whatever else there may be stays the text that it is.
      return <p className="my-2.5 whitespace-pre-wrap">{token.raw.trim()}</p>;
  }
}

const Blocks = ({ tokens, sources }: { tokens: readonly Token[]; sources: readonly Source[] }) =>
  tokens.map((token, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: blocks are named by their place.
    <BlockToken key={index} token={token} sources={sources} nested />
  ));

/** A block is drawn again only when its text or the sources have changed. */
export const Block = memo(
  BlockToken,
  (before, after) =>
    before.token.raw === after.token.raw && before.token.type === after.token.type && before.sources === after.sources,
);
