import type { UsedBy } from '@atrium/contract/uses/schema.ts';
import { Link } from '@tanstack/react-router';
import { useWorkspace } from '../../api/session.ts';
import { baseTexts } from '../../text/knowledge/bases.ts';

const words = baseTexts.uses;
const folders: Partial<Record<UsedBy['items'][number]['kind'], string>> = {
  ...{ agent: 'agents', workflow: 'workflows', conversation: 'chat' },
};

/** What uses a knowledge base, each with the way to it. */
export function UseList({ uses }: { uses: UsedBy }) {
  const { id: w } = useWorkspace();
  return (
    <ul className="divide-y divide-line rounded-3 border border-line text-dense">
      {uses.items.slice(0, 50).map(({ kind, id, name }) => {
        const folder = folders[kind];
        const address: string = `/w/${w}/${folder}/${id}`;
        const shown = name ?? words.noName;
        return (
          <li key={`${kind} ${id}`} className="flex min-h-9 items-center gap-3 px-3 py-1.5">
            <span className="w-24 flex-none text-text-3">{words.kinds[kind]}</span>
            {folder ? (
              <Link to={address} className="min-w-0 truncate font-medium">
                {shown}
              </Link>
            ) : (
              <span className="min-w-0 truncate font-medium">{shown}</span>
            )}
          </li>
        );
      })}
      {uses.hidden > 0 && <li className="px-3 py-2 text-text-2">{words.hidden(uses.hidden)}</li>}
    </ul>
  );
}
