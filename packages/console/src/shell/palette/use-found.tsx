import type { SearchType } from '@atrium/contract/search/schema.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import {
  BookOpen,
  Bot,
  CircleHelp,
  FileText,
  MessageSquare,
  Plus,
  Settings,
  Table2,
  Variable,
  Workflow,
} from 'lucide-react';
import { type ComponentType, useEffect, useState } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { rememberAgent } from '../../chat/start/last-agent.ts';
import { t } from '../../text/en.ts';
import { addressOfHit } from './hit-address.ts';
import { Marked } from './marked.tsx';
import { namesFirst } from './names-first.ts';
import type { PaletteEntry } from './use-commands.tsx';

const words = t.shell.palette;
const icons: Record<SearchType, ComponentType<{ size?: number }>> = {
  agents: Bot,
  conversations: MessageSquare,
  messages: MessageSquare,
  knowledge_bases: BookOpen,
  documents: FileText,
  passages: FileText,
  tables: Table2,
  columns: Table2,
  workflows: Workflow,
  steps: Workflow,
  variables: Variable,
  settings: Settings,
  help: CircleHelp,
};

/** A text once it has not changed for a moment. */
function useSettled(text: string, ms: number): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), ms);
    return () => clearTimeout(timer);
  }, [text, ms]);
  return settled;
}

export interface FoundGroup {
  label: string;
  entries: (PaletteEntry & { title: React.ReactNode })[];
}

/** What the server finds, grouped by kind. */
export function useFound(text: string): { groups: FoundGroup[]; isSearching: boolean; failed: boolean } {
  const client = useClient();
  const { id: w } = useWorkspace();
  const router = useRouter();
  const typed = text.trim().slice(0, 200);
  const q = useSettled(typed, 120);
  const { data, isFetching, isError } = useQuery({
    queryKey: [w, 'search', q],
    queryFn: ({ signal }) => client.search.find({ q, limit: 4 }, { signal }),
    enabled: q.length > 1,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });
  // A text that has not settled is searched for soon: what waits for the search must not come and go before it.
  const isSearching = isFetching || typed !== q;
  if (!typed || !data) return { groups: [], isSearching, failed: isError };
  const agentId = /\/agents\/([^/]+)/.exec(router.state.location.pathname)?.[1];
  const groups = namesFirst(data.groups).map(({ type, hits }): FoundGroup => {
    const Icon = icons[type];
    return {
      label: words.types[type],
      entries: hits.map((hit, index) => ({
        id: `${type} ${index} ${JSON.stringify(hit.target)}`,
        label: hit.title.text,
        title: <Marked {...hit.title} />,
        note: hit.text && <Marked {...hit.text} />,
        icon: <Icon size={16} />,
        href: addressOfHit(type, hit.target, w, agentId),
      })),
    };
  });
  const agents = data.groups.find(({ type }) => type === 'agents')?.hits ?? [];
  const chats = agents.map(({ title, target }) => ({
    ...{ id: `chat ${target.agent_id}`, label: words.chatWith(title.text), title: words.chatWith(title.text) },
    ...{ icon: <Plus size={16} />, note: words.types.agents, href: `/w/${w}/chat` },
    // The start page of the chat begins with the agent that was chosen last.
    run: () => rememberAgent(w, target.agent_id ?? ''),
  }));
  return {
    groups: chats.length > 0 ? [{ label: words.start, entries: chats }, ...groups] : groups,
    isSearching,
    failed: isError,
  };
}
