import { ListTree } from 'lucide-react';
import { t } from '../../text/en.ts';
import { Markdown } from '../markdown/markdown.tsx';
import { type ChatMessage, textOf } from '../thread/message-types.ts';

const noSources = [] as const;

/** The first message of a chat that goes on with another one: what the agent knows of that. */
export function SummaryNote({ message }: { message: ChatMessage }) {
  return (
    <details className="rounded-3 border border-line bg-bg" open>
      <summary className="flex min-h-9 cursor-pointer items-center gap-2 px-3.5 text-dense font-medium text-text-2 pointer-coarse:min-h-11">
        <ListTree size={14} aria-hidden />
        {t.chat.full.note}
      </summary>
      <div className="border-t border-line px-3.5 py-2.5">
        <Markdown text={textOf(message)} sources={noSources} />
      </div>
    </details>
  );
}
