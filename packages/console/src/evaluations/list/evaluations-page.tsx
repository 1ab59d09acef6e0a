import { useNavigate, useSearch } from '@tanstack/react-router';
import { useRef } from 'react';
import { useFoundReferences } from '../../forms/use-references.ts';
import { useShortcuts } from '../../lib/shortcuts.ts';
import { evaluationTexts } from '../../text/evaluations.ts';
import { Page } from '../../ui/page.tsx';
import { Select } from '../../ui/select.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { SetsPart } from './sets-part.tsx';

const words = evaluationTexts.list;

/** All sets of the workspace. */
export function EvaluationsPage() {
  const { search = '', agent } = useSearch({ from: '/signed-in/w/$w/evaluations' });
  const navigate = useNavigate({ from: '/w/$w/evaluations' });
  const field = useRef<HTMLInputElement>(null);
  const agents = useFoundReferences('agent', '');
  const show = (next: { search?: string | undefined; agent?: string | undefined }) =>
    void navigate({ search: (old) => ({ ...old, ...next }), replace: true });
  useShortcuts([{ keys: '/', label: words.find, onPress: () => field.current?.focus() }]);
  return (
    <Page title={evaluationTexts.title} guide="evaluations">
      <SetsPart
        agentId={agent}
        search={search}
        onClear={() => show({ search: undefined, agent: undefined })}
        filters={
          <>
            <TextInput
              ref={field}
              type="search"
              aria-label={words.find}
              placeholder={words.find}
              value={search}
              onChange={({ target }) => show({ search: target.value || undefined })}
              className="max-w-70"
            />
            <Select
              aria-label={words.agent}
              className="w-48"
              value={agent ?? ''}
              empty={words.anyAgent}
              options={agents.map(({ id, name }) => ({ value: id, label: name }))}
              onChange={(id) => show({ agent: id || undefined })}
            />
          </>
        }
      />
    </Page>
  );
}
