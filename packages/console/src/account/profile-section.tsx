import { useState } from 'react';
import { personClient } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { sessionQuery, useSession } from '../api/session.ts';
import { useSubmit } from '../lib/use-submit.ts';
import { accountTexts } from '../text/account.ts';
import { t } from '../text/en.ts';
import { welcomeTexts } from '../text/welcome.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { Chip } from '../ui/chip.tsx';
import { FailureNote } from '../ui/failure-note.tsx';
import { Field } from '../ui/field.tsx';
import { TextInput } from '../ui/text-field.tsx';
import { sayToast } from '../ui/toast.tsx';
import { Section } from './section.tsx';

const words = accountTexts.profile;

export function ProfileSection() {
  const { person, workspaces } = useSession();
  const [name, setName] = useState(person.name);
  const { busy, failure, faultOf, submit, form } = useSubmit(
    async () => {
      await personClient.people.updateOwn({ name }, { ifMatch: person.etag });
      await queryClient.refetchQueries({ queryKey: sessionQuery.queryKey });
      sayToast({ text: words.saved });
    },
    { check: () => ({ name: name.trim() === '' && welcomeTexts.invitation.needName }) },
  );
  return (
    <Section title={accountTexts.sections.profile}>
      <div className="flex items-center gap-3">
        <Avatar name={person.name} kind="person" size={44} />
        <div className="min-w-0">
          <p className="truncate font-medium">{person.name}</p>
          <p className="truncate text-dense text-text-2">{person.email}</p>
        </div>
        {person.tenant_admin && <Chip tone="accent">{words.role}</Chip>}
      </div>
      <form ref={form} onSubmit={submit} noValidate className="flex flex-col gap-3">
        <FailureNote failure={failure} />
        <Field label={words.name} help={words.nameHelp} error={faultOf('name')}>
          <TextInput value={name} autoComplete="name" onChange={(event) => setName(event.target.value)} />
        </Field>
        <Button type="submit" busy={busy} disabled={name === person.name} className="self-start">
          {t.ui.save}
        </Button>
      </form>
      <div>
        <h3 className="text-label font-medium">{words.workspaces}</h3>
        {workspaces.length === 0 ? (
          <p className="text-dense text-text-2">{words.none}</p>
        ) : (
          <ul className="mt-1.5 flex flex-wrap gap-1.5">
            {workspaces.map(({ id, name: workspace }) => (
              <li key={id} className="max-w-full">
                <Chip>{workspace}</Chip>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Section>
  );
}
