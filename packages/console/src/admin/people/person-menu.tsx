import { MoreHorizontal } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useClient } from '../../api/session.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { adminTexts } from '../../text/admin/frame.ts';
import { peopleTexts } from '../../text/admin/people.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { sayToast } from '../../ui/toast.tsx';
import { useRefresh } from '../shared/use-admin.ts';
import type { Person } from './everyone.tsx';

const PersonDialog = lazyPart(() => import('./person-dialog.tsx').then((file) => ({ default: file.PersonDialog })));
const words = peopleTexts.everyone;

export type PersonForm = 'rename' | 'add' | 'reset' | 'erase';
type Question = 'promote' | 'demote' | 'second' | 'deactivate';

/** What an administrator of the organization can do with a person. */
export function PersonMenu({ person }: { person: Person }) {
  const client = useClient();
  const { act, refresh } = useRefresh('people', 'members');
  const [form, setForm] = useState<PersonForm>();
  const [question, setQuestion] = useState<Question>();
  const { id, name, etag } = person;
  const update = (changes: Parameters<typeof client.people.update>[1]) =>
    client.people.update(id, changes, { ifMatch: etag });
  const questions: Record<
    Question,
    { title: string; help: string; action: string; done: string; send: () => Promise<unknown> }
  > = {
    promote: {
      ...{ title: words.promoteTitle(name), help: words.promoteHelp, action: words.promote },
      ...{ done: words.promoted(name), send: () => update({ tenant_admin: true }) },
    },
    demote: {
      ...{ title: words.demoteTitle(name), help: words.demoteHelp, action: words.demote },
      ...{ done: words.demoted(name), send: () => update({ tenant_admin: false }) },
    },
    second: {
      ...{ title: words.removeSecondTitle(name), help: words.removeSecondHelp, action: words.removeSecond },
      ...{ done: words.removedSecond, send: () => client.secondFactors.remove(id) },
    },
    deactivate: {
      ...{ title: words.deactivateTitle(name), help: words.deactivateHelp, action: words.deactivate },
      ...{ done: words.deactivated(name), send: () => update({ active: false }) },
    },
  };
  const asked = question && questions[question];
  return (
    <>
      <Menu
        trigger={<IconButton label={adminTexts.more(name)} icon={<MoreHorizontal size={16} />} />}
        groups={[
          [
            { label: words.addTo, onSelect: () => setForm('add') },
            { label: words.rename, onSelect: () => setForm('rename') },
            { label: words.reset, onSelect: () => setForm('reset') },
            person.second_factor && { label: words.removeSecond, onSelect: () => setQuestion('second') },
          ],
          [
            person.tenant_admin
              ? { label: words.demote, onSelect: () => setQuestion('demote') }
              : { label: words.promote, onSelect: () => setQuestion('promote') },
            {
              label: words.exportData,
              onSelect: () => void act(() => client.personalData.export(id), words.exporting),
            },
          ],
          [
            person.active
              ? { label: words.deactivate, danger: true, onSelect: () => setQuestion('deactivate') }
              : {
                  label: words.activate,
                  onSelect: () => void act(() => update({ active: true }), words.activated(name)),
                },
            { label: words.erase, danger: true, onSelect: () => setForm('erase') },
          ],
        ]}
      />
      {asked && (
        <Confirm
          open
          onClose={() => setQuestion(undefined)}
          title={asked.title}
          help={asked.help}
          action={asked.action}
          onConfirm={async () => {
            await asked.send();
            await refresh();
            sayToast({ text: asked.done });
          }}
        />
      )}
      <Suspense>{form && <PersonDialog form={form} person={person} onClose={() => setForm(undefined)} />}</Suspense>
    </>
  );
}
