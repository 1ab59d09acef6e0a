import { Check, Settings } from 'lucide-react';
import { useState } from 'react';
import { useSession, useWorkspace } from '../api/session.ts';
import { t } from '../text/en.ts';
import { Button } from '../ui/button.tsx';
import { TextInput } from '../ui/text-field.tsx';

/** Many workspaces: a field to find one by its name. */
export function WorkspaceList(props: { onPick: (id: string) => void; onSettings: (() => void) | undefined }) {
  const { workspaces } = useSession();
  const { id: current } = useWorkspace();
  const [find, setFind] = useState('');
  const shown = workspaces.filter(({ name }) => name.toLowerCase().includes(find.trim().toLowerCase()));
  return (
    <div className="flex flex-col gap-2">
      <TextInput
        type="search"
        autoFocus
        aria-label={t.shell.findWorkspace}
        placeholder={t.shell.findWorkspace}
        value={find}
        onChange={(event) => setFind(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && shown[0]) props.onPick(shown[0].id);
        }}
      />
      <ul className="max-h-80 overflow-y-auto">
        {shown.map(({ id, name }) => (
          <li key={id}>
            <button
              type="button"
              aria-current={id === current || undefined}
              onClick={() => props.onPick(id)}
              className="flex w-full items-center gap-2 rounded-2 px-2 py-1.5 text-left text-label hover:bg-sunken pointer-coarse:py-3"
            >
              <span className="flex-1 truncate">{name}</span>
              {id === current && <Check size={14} aria-hidden />}
            </button>
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p className="px-2 text-dense text-text-2">{t.ui.noMatch}</p>}
      {props.onSettings && (
        <Button
          look="ghost"
          icon={<Settings size={15} aria-hidden />}
          className="justify-start"
          onClick={props.onSettings}
        >
          {t.shell.workspaceSettings}
        </Button>
      )}
    </div>
  );
}
