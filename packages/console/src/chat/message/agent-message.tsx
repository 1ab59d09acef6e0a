import { Link } from '@tanstack/react-router';
import { memo, useMemo, useRef } from 'react';
import { t } from '../../text/en.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { SourceChips } from '../citations/citation.tsx';
import { PrintedSources } from '../citations/printed-sources.tsx';
import { citedNumbers, type Source, sourcesOf } from '../citations/sources.ts';
import { Markdown } from '../markdown/markdown.tsx';
import { later } from '../parts/later.tsx';
import { partRegistry } from '../parts/registry.ts';
import { type ChatMessage, textOf } from '../thread/message-types.ts';
import { groupParts } from './group-parts.ts';
import { MessageActions } from './message-actions.tsx';
import { useThreadPeople } from './message-context.ts';
import { MessageEnding } from './message-ending.tsx';
import { noticeParts } from './notice-parts.tsx';
import { UnknownPart } from './unknown-part.tsx';
import { WorkGroup } from './work-group.tsx';

const TimedSteps = later(() => import('./timed-steps.tsx').then(({ TimedSteps }) => TimedSteps));

/** The same list while the sources are the same, so that finished blocks are not drawn again. */
function useSources(parts: ChatMessage['parts']): readonly Source[] {
  const last = useRef<{ text: string; sources: readonly Source[] }>({ text: '[]', sources: [] });
  const sources = sourcesOf(parts);
  const text = JSON.stringify(sources);
  if (text !== last.current.text) last.current = { text, sources };
  return last.current.sources;
}

interface AgentMessageProps {
  message: ChatMessage;
  last: boolean;
  /** On paper: all that could be opened stands there, and nothing that can be pressed. */
  printed?: boolean;
}

/** An answer: what was done, the words, cards, sources, and what can be done with it. */
export const AgentMessage = memo(function AgentMessage({ message, last, printed = false }: AgentMessageProps) {
  const { thread, workspaceId, agentName, agentPicture } = useThreadPeople();
  const sources = useSources(message.parts);
  const blocks = useMemo(() => groupParts(message.parts), [message.parts]);
  const cited = useMemo(() => (sources.length ? citedNumbers(textOf(message)) : new Set<number>()), [sources, message]);
  const writing = message.state === 'writing';
  const person = message.metadata?.answered_by;
  const runId = message.metadata?.run_id;
  const trace = runId && (
    <Link
      to={`/w/${workspaceId}/runs/${runId}` as string}
      className="text-caption font-medium whitespace-nowrap max-phone:hidden"
    >
      {t.chat.message.trace}
    </Link>
  );
  const name = person
    ? t.chat.thread.byPerson(message.metadata?.answered_by_actor?.name ?? t.chat.thread.aPerson)
    : agentName;
  return (
    <article aria-label={name} aria-busy={writing || undefined} className="group/message">
      <div className="mb-2 flex items-center gap-2 text-dense font-medium max-phone:hidden">
        <Avatar name={name} kind={person ? 'person' : 'agent'} picture={person ? undefined : agentPicture} size={22} />
        {name}
      </div>
      {blocks.map((block, index) => {
        if (block.kind === 'text')
          return (
            <div key={block.key} className={block.part.broken ? 'opacity-60' : undefined}>
              <Markdown text={block.part.text ?? ''} sources={sources} />
            </div>
          );
        if (block.kind === 'work')
          return (
            <WorkGroup
              key={block.key}
              steps={block.steps}
              last={index === blocks.length - 1}
              writing={writing}
              message={message}
              beside={trace}
              Steps={TimedSteps}
            />
          );
        const Part = partRegistry[block.slot] ?? noticeParts[block.slot] ?? UnknownPart;
        return <Part key={block.key} part={block.part} message={message} thread={thread} />;
      })}
      {writing && blocks.at(-1)?.kind !== 'work' && (
        <span aria-hidden className="pulse mt-1 inline-block h-4 w-2 rounded-1 bg-accent align-middle" />
      )}
      {printed ? <PrintedSources sources={sources} /> : <SourceChips sources={sources} cited={cited} />}
      <MessageEnding message={message} last={last} />
      {!writing && !printed && message.id && <MessageActions message={message} last={last} />}
    </article>
  );
});
