import { Link } from '@tanstack/react-router';
import { Pencil, Trash2, UserRound, Users } from 'lucide-react';
import { useWorkspace } from '../../api/session.ts';
import { sayExactTime, sayTime } from '../../lib/time.ts';
import { agentTabTexts } from '../../text/agent-tabs.ts';
import { agentTexts } from '../../text/agents.ts';
import { t } from '../../text/en.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { useEditor } from '../editor/editor-context.ts';
import { type Memory, nameSubject } from './memories.ts';

const words = agentTabTexts.memory;

interface MemoryRowProps {
  memory: Memory;
  onAbout: () => void;
  onCorrect: () => void;
  onDelete: () => void;
}

/** One entry: what is remembered, about whom, and where it comes from. */
export function MemoryRow({ memory, onAbout, onCorrect, onDelete }: MemoryRowProps) {
  const { mayEdit } = useEditor();
  const { id: w } = useWorkspace();
  const { text, provenance, updated_at } = memory;
  const refused = !mayEdit && agentTexts.needsEdit;
  const name = nameSubject(memory);
  const short = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return (
    <li tabIndex={-1} className="flex flex-wrap items-start gap-x-4 gap-y-2 px-4 py-3 max-narrow:px-3">
      <div className="flex min-w-60 flex-1 flex-col gap-1.5">
        <p dir="auto" className="break-words whitespace-pre-wrap">
          {text}
        </p>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-caption text-text-3">
          {name === null ? (
            <span className="inline-flex items-center gap-1">
              <Users size={13} aria-hidden />
              {words.everyone}
            </span>
          ) : (
            <button
              type="button"
              onClick={onAbout}
              className="inline-flex min-h-6 items-center gap-1 text-accent hover:underline pointer-coarse:min-h-11"
            >
              <UserRound size={13} aria-hidden />
              {words.about(name)}
            </button>
          )}
          <time dateTime={updated_at} title={sayExactTime(updated_at)}>
            {words.from(provenance.actor.name, sayTime(updated_at))}
          </time>
          {provenance.conversation_id && (
            <Link
              to="/w/$w/chat/$id"
              params={{ w, id: provenance.conversation_id }}
              className="inline-flex min-h-6 items-center pointer-coarse:min-h-11"
            >
              {words.openChat}
            </Link>
          )}
          {provenance.untrusted && (
            <Tooltip text={words.untrustedHelp}>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: its tooltip is for the keyboard too. */}
              <span tabIndex={0} className="rounded-full">
                <Chip tone="warn">{words.untrusted}</Chip>
              </span>
            </Tooltip>
          )}
        </div>
      </div>
      <div className="flex gap-2">
        <Button
          size="small"
          icon={<Pencil size={13} aria-hidden />}
          refused={refused}
          onClick={onCorrect}
          aria-label={words.correctOf(short)}
        >
          {words.correct}
        </Button>
        <Button
          size="small"
          look="ghost"
          icon={<Trash2 size={13} aria-hidden />}
          refused={refused}
          onClick={onDelete}
          aria-label={words.deleteOf(short)}
        >
          {t.ui.delete}
        </Button>
      </div>
    </li>
  );
}
