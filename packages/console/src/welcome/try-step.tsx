import { Link } from '@tanstack/react-router';
import { ChevronRight, MessageSquare } from 'lucide-react';
import { useSession, useWorkspace } from '../api/session.ts';
import { rememberAgent } from '../chat/start/last-agent.ts';
import { keepDraft } from '../lib/local-drafts.ts';
import { welcomeTexts } from '../text/welcome.ts';
import { FirstStartFrame } from './first-start-frame.tsx';
import { InviteForm } from './invite-form.tsx';
import { useProgress } from './progress-store.ts';
import { StepFoot } from './step-foot.tsx';
import type { Step } from './steps.ts';

const words = welcomeTexts.try;

/** The last step: into the chat, with a question if the person picks one. Colleagues can be invited before. */
export function TryStep({ go }: { go: (step: Step) => void }) {
  const { id: w } = useWorkspace();
  const { person } = useSession();
  const agent = useProgress(({ agent }) => agent);
  const to = `/w/${w}/chat` as string;
  /** The start page of the chat begins with the agent and the text that were left for it. */
  const prepare = (question: string) => {
    if (agent) rememberAgent(w, agent.id);
    keepDraft(`chat.new.${w}`, question);
  };
  return (
    <FirstStartFrame
      step="try"
      email={person.email}
      title={agent ? words.title(agent.name) : words.titleWithout}
      help={words.help}
    >
      {agent && (
        <ul className="flex flex-col gap-2">
          {words.questions.slice(0, agent.hasSample ? 3 : 1).map((question) => (
            <li key={question}>
              <Link
                to={to}
                onClick={() => prepare(question)}
                className="flex items-center gap-3 rounded-3 border border-line-2 bg-surface px-4 py-3 font-medium text-text hover:bg-bg"
              >
                <MessageSquare size={16} aria-hidden className="flex-none text-text-3" />
                <span className="flex-1">{question}</span>
                <ChevronRight size={15} aria-hidden className="flex-none text-text-3" />
              </Link>
            </li>
          ))}
        </ul>
      )}
      <InviteForm />
      <StepFoot onBack={() => go('agent')}>
        <Link
          to={to}
          onClick={() => prepare('')}
          className="inline-flex h-10 items-center gap-1.5 rounded-2 bg-accent px-4.5 font-medium text-on-accent hover:bg-accent-hover focus-visible:outline-text pointer-coarse:h-11"
        >
          {words.action}
          <ChevronRight size={15} aria-hidden />
        </Link>
      </StepFoot>
    </FirstStartFrame>
  );
}
