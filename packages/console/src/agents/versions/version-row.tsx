import type { AnswerOf } from '@atrium/sdk';
import { sayExactTime, sayTime } from '../../lib/time.ts';
import { agentTexts } from '../../text/agents.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { cx } from '../../ui/cx.ts';
import { useEditor } from '../editor/editor-context.ts';

export type Version = AnswerOf<'agentVersions.list', 'summary'>[number];
const words = agentTexts.versions;

interface VersionRowProps {
  version: Version;
  isLive: boolean;
  isChosen: boolean;
  onCompare: (() => void) | undefined;
  onGoBack: () => void;
}

export function VersionRow({ version, isLive, isChosen, onCompare, onGoBack }: VersionRowProps) {
  const { mayEdit } = useEditor();
  const name = agentTexts.head.version(version.number);
  return (
    <li className={cx('flex flex-col gap-1 px-5 py-3 max-narrow:px-3', isChosen && 'bg-accent-soft')}>
      <p className="flex flex-wrap items-center gap-2">
        <span className="num font-semibold">{name}</span>
        {version.name !== name && <span className="truncate font-medium">{version.name}</span>}
        {isLive && (
          <Chip tone="ok" dot>
            {words.live}
          </Chip>
        )}
        <time
          dateTime={version.created_at}
          title={sayExactTime(version.created_at)}
          className="ml-auto text-dense text-text-3"
        >
          {sayTime(version.created_at)}
        </time>
      </p>
      <p className="text-dense break-words text-text-2">{version.description || words.noNote}</p>
      <div className="flex items-center gap-2">
        <span className="flex-1 truncate text-caption text-text-3">
          {version.created_by_actor?.name && words.by(version.created_by_actor.name)}
        </span>
        {onCompare && (
          <Button size="small" look="ghost" onClick={onCompare} aria-label={words.compareWithLive(name)}>
            {words.compare}
          </Button>
        )}
        {!isLive && (
          <Button
            size="small"
            refused={!mayEdit && agentTexts.needsEdit}
            onClick={onGoBack}
            aria-label={words.goBack(name)}
          >
            {words.goBackShort}
          </Button>
        )}
      </div>
    </li>
  );
}
