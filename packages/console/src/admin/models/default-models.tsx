import type { AnswerOf } from '@atrium/sdk';
import { useQuery } from '@tanstack/react-query';
import { useClient, useWorkspace } from '../../api/session.ts';
import { modelTexts as words } from '../../text/admin/models.ts';
import { Select } from '../../ui/select.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { Card } from '../shared/section-page.tsx';
import { useRefresh } from '../shared/use-admin.ts';

type Defaults = AnswerOf<'defaults.get'>;
type Kind = keyof typeof words.kinds;
const kinds = Object.keys(words.kinds) as Kind[];
/** The kind of models that fit; language models judge and find topics. */
const modelKinds: Record<Kind, 'embedding' | 'ranking' | 'image' | 'llm'> = {
  ...{ embedding: 'embedding', ranking: 'ranking', image: 'image', guardrail: 'llm', insights: 'llm' },
};

/** Which model is used where no setting names one. A change is stored at once. */
export function DefaultModels({ refused }: { refused: string | false }) {
  const client = useClient();
  const { id } = useWorkspace();
  const query = useQuery({ queryKey: [id, 'defaults'], queryFn: () => client.defaults.get() });
  const models = useQuery({
    queryKey: [id, 'models', 'all'],
    queryFn: () => client.models.list({ kind: 'all' }),
  });
  const { act } = useRefresh('defaults');
  const set = (defaults: Defaults, kind: Kind, model: string) => {
    // A PUT stores all of them: those that are left out are what the environment sets again.
    const stored = kinds.flatMap((one) => {
      const value = one === kind ? model : defaults[one].source === 'api' ? defaults[one].model : '';
      return value ? [[one, value]] : [];
    });
    return act(() => client.defaults.set(Object.fromEntries(stored)), words.saved);
  };
  return (
    <Card title={words.defaults} help={words.defaultsHelp}>
      <Loaded query={query}>
        {(defaults) => (
          <ul className="divide-y divide-line">
            {kinds.map((kind) => {
              const { model, source } = defaults[kind];
              const fitting = (models.data ?? [])
                .filter((one) => one.kind === modelKinds[kind])
                .map(({ name }) => name);
              const chosen = source === 'api' && model ? model : '';
              const names = chosen && !fitting.includes(chosen) ? [chosen, ...fitting] : fitting;
              return (
                <li key={kind} className="flex flex-wrap items-center gap-x-4 gap-y-1.5 px-4 py-2.5">
                  <span className="min-w-0 flex-1 basis-48 text-label">
                    <span className="font-medium">{words.kinds[kind].label}</span>
                    <span className="block text-caption text-text-3">{words.kinds[kind].help}</span>
                  </span>
                  <Select
                    aria-label={words.kinds[kind].label}
                    className="w-80 max-w-full"
                    value={chosen}
                    disabled={Boolean(refused)}
                    title={refused || undefined}
                    empty={source === 'environment' && model ? words.environmentSets(model) : words.nothing}
                    options={names.map((name) => ({ value: name, label: name }))}
                    onChange={(value) => void set(defaults, kind, value)}
                  />
                </li>
              );
            })}
          </ul>
        )}
      </Loaded>
    </Card>
  );
}
