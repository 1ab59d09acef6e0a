import { Check, Copy } from 'lucide-react';
import { memo, useEffect, useState } from 'react';
import { t } from '../../text/en.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import type { Colored } from './highlight.ts';
import { ScrollFrame } from './scroll-frame.tsx';

/** Only colours that reach 4.5:1 as text; those of charts do not all. */
const colours: Readonly<Record<string, string>> = {
  keyword: 'text-c3',
  built_in: 'text-c4',
  type: 'text-c4',
  title: 'text-c4',
  string: 'text-ok',
  regexp: 'text-ok',
  number: 'text-warn',
  literal: 'text-warn',
  attr: 'text-c1',
  attribute: 'text-c1',
  variable: 'text-warn',
  comment: 'text-text-3',
  meta: 'text-text-3',
};

/** Code with its colours. They are loaded with the first block, and set once the block has stood still for a moment. */
export const CodeBlock = memo(function CodeBlock({ code, language }: { code: string; language: string }) {
  const [colored, setColored] = useState<{ code: string; pieces: readonly Colored[] }>();
  const [copied, setCopied] = useState(false);
  const name = /^[\w+#-]*/.exec(language)?.[0] ?? '';
  useEffect(() => {
    if (!name) return;
    let gone = false;
    const timer = setTimeout(async () => {
      const { colorCode } = await import('./highlight.ts');
      const pieces = await colorCode(code, name);
      if (!gone && pieces) setColored({ code, pieces });
    }, 150);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [code, name]);
  const copy = async () => {
    await navigator.clipboard.writeText(code);
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  };
  const shown = colored?.code === code ? colored.pieces : undefined;
  return (
    <figure dir="ltr" className="group/code my-3 overflow-hidden rounded-3 border border-line bg-bg">
      <figcaption className="flex h-9 items-center border-b border-line ps-3 pe-1 text-caption text-text-3">
        <span className="flex-1">{name || t.chat.code.plain}</span>
        <IconButton
          label={copied ? t.chat.message.copied : t.chat.code.copy}
          icon={copied ? <Check size={14} /> : <Copy size={14} />}
          onClick={copy}
        />
      </figcaption>
      <ScrollFrame
        label={name ? t.chat.code.label(name) : t.chat.code.plain}
        className="overflow-x-auto p-3 font-mono text-code wrap-normal"
      >
        <pre>
          <code>
            {shown
              ? shown.map(({ text, kind }, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of code have no other name.
                  <span key={index} className={kind && colours[kind]}>
                    {text}
                  </span>
                ))
              : code}
          </code>
        </pre>
      </ScrollFrame>
    </figure>
  );
});
