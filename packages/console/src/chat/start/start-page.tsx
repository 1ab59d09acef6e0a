import { useQuery } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { Bot, ChevronLeft } from 'lucide-react';
import { Suspense, useState } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { useClient, useMay, useSession, useWorkspace } from '../../api/session.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { returnWords } from '../../lib/local-drafts.ts';
import { t } from '../../text/en.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { cx } from '../../ui/cx.ts';
import { PageName, useTitle } from '../../ui/page.tsx';
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx';
import { sayFailure } from '../../ui/toast.tsx';
import { Composer } from '../composer/composer.tsx';
import { agentWords } from '../conversation/agent-words.ts';
import { conversationQuery, useAgent } from '../conversation/use-conversation.ts';
import type { MessageExtras } from '../thread/thread-store.ts';
import { threadOf } from '../thread/threads.ts';
import { AgentChoice } from './agent-choice.tsx';
import { lastAgent, rememberAgent } from './last-agent.ts';
import { WaitingLines } from './waiting-lines.tsx';

const Checklist = lazyPart(() => import('../../welcome/checklist.tsx').then((file) => ({ default: file.Checklist })));
const mostCards = 4;

function greet(name: string): string {
  const hour = new Date().getHours();
  const first = name.trim().split(/\s+/)[0] ?? name;
  if (hour < 11) return t.chat.start.morning(first);
  return hour < 18 ? t.chat.start.day(first) : t.chat.start.evening(first);
}

/** Chat with nothing open: ask an agent, or take up what waits. */
export function StartPage() {
  const client = useClient();
  const { id: w } = useWorkspace();
  const { person } = useSession();
  const may = useMay();
  const router = useRouter();
  const agents = useQuery({
    queryKey: [w, 'agents', 'start'],
    queryFn: () => client.agents.list({ view: 'summary', page_size: 50 }),
    enabled: may('agents_run'),
  });
  const [chosen, setChosen] = useState(() => lastAgent(w));
  const [busy, setBusy] = useState(false);
  useTitle(t.shell.chat);
  const items = (agents.data?.items ?? []).filter(({ visible }) => visible);
  const agent = items.find(({ id }) => id === chosen) ?? items[0];
  const whole = useAgent(agent?.id);

  const draftKey = `chat.new.${w}`;
  const start = async (content: string, extras: MessageExtras) => {
    if (!agent) return;
    setBusy(true);
    try {
      const made = await client.conversations.create({}, { query: { assistant_id: agent.id } });
      rememberAgent(w, agent.id);
      queryClient.setQueryData(conversationQuery(w, made.id).queryKey, made);
      // The message itself says when it was not sent.
      void threadOf(w, made.id)
        .send(content, extras)
        .catch(() => {});
      await router.navigate({
        to: '/w/$w/chat/$id',
        params: { w, id: made.id },
        search: (before) => ({ ...before, message: undefined, new: undefined }),
      });
    } catch (error) {
      // The field has let go of them.
      returnWords(draftKey, content);
      sayFailure(error);
      setBusy(false);
    }
  };

  if (!may('agents_run'))
    return <EmptyState className="flex-1" title={t.chat.start.notAllowed.title} help={t.chat.start.notAllowed.help} />;
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
      <Link
        to="/w/$w/chat"
        params={{ w }}
        search={(before) => ({ ...before, new: undefined })}
        aria-label={t.chat.list.back}
        className="m-1.5 grid size-11 flex-none place-items-center rounded-2 text-text-2 hover:bg-sunken narrow:hidden"
      >
        <ChevronLeft size={20} aria-hidden />
      </Link>
      <div className="m-auto flex w-full max-w-184 flex-col gap-6 px-6 py-10 max-narrow:px-4">
        <div className="text-center [&_h1]:text-title [&_h1]:tracking-[-0.02em]">
          <PageName>{greet(person.name)}</PageName>
        </div>
        {agents.isPending && <Loading rows={3} onRetry={() => void agents.refetch()} />}
        {agents.isError && <ErrorState error={agents.error} onRetry={() => void agents.refetch()} />}
        {agents.isSuccess && !agent && (
          <EmptyState
            icon={<Bot size={20} aria-hidden />}
            title={t.chat.start.noAgents.title}
            help={t.chat.start.noAgents.help}
          >
            <Link to={`/w/${w}/agents` as string} className="font-medium">
              {t.chat.start.noAgents.action}
            </Link>
          </EmptyState>
        )}
        {agent && (
          <Composer
            draftKey={draftKey}
            placeholder={agentWords(whole?.definition, 'chat_input_placeholder', t.chat.composer.ask(agent.name))}
            answering={busy}
            onSend={(content, extras) => {
              if (busy) return false;
              void start(content, extras);
              return true;
            }}
            autoFocus
            beside={<AgentChoice agents={items} value={agent.id} onChange={setChosen} />}
          />
        )}
        {items.length > 1 && (
          <section aria-label={t.chat.start.agents}>
            <ul className="grid grid-cols-2 gap-3 max-phone:grid-cols-1">
              {items.slice(0, mostCards).map(({ id, name, description, image_url }) => (
                <li key={id}>
                  <button
                    type="button"
                    aria-pressed={id === agent?.id}
                    onClick={() => setChosen(id)}
                    className={cx(
                      'flex h-full w-full items-start gap-3 rounded-3 border bg-surface p-3.5 text-left hover:bg-bg',
                      id === agent?.id ? 'border-accent' : 'border-line',
                    )}
                  >
                    <Avatar name={name} kind="agent" picture={image_url} size={32} />
                    <span className="min-w-0">
                      <span className="block truncate font-medium">{name}</span>
                      {description && <span className="line-clamp-2 text-dense text-text-2">{description}</span>}
                    </span>
                  </button>
                </li>
              ))}
            </ul>
          </section>
        )}
        <WaitingLines />
        <Suspense>
          <Checklist />
        </Suspense>
      </div>
    </div>
  );
}
