import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { changePreferences, preferencesQuery } from '../lib/preferences.ts';
import { sayKeys } from '../lib/shortcuts.ts';
import { accountTexts } from '../text/account.ts';
import { Checkbox } from '../ui/checkbox.tsx';
import { Field } from '../ui/field.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { Section } from './section.tsx';

const words = accountTexts.keyboard;

export function KeyboardSection() {
  const { data } = useQuery(preferencesQuery);
  /** The query tells of a change a moment later, and a checkbox would show the old value meanwhile. */
  const [singleKeys, setSingleKeys] = useState<boolean>();
  if (!data) return null;
  return (
    <Section title={accountTexts.sections.keyboard}>
      <Field label={words.sendKey} help={words.sendKeyHelp} group>
        <Segmented
          label={words.sendKey}
          value={data.send_key}
          options={[
            { value: 'enter', label: sayKeys('enter') },
            { value: 'mod_enter', label: sayKeys('mod+enter') },
          ]}
          onChange={(send_key) => void changePreferences({ send_key })}
        />
      </Field>
      <Checkbox
        checked={singleKeys ?? data.single_keys}
        onChange={(single_keys) => {
          setSingleKeys(single_keys);
          void changePreferences({ single_keys }).finally(() => setSingleKeys(undefined));
        }}
        label={words.singleKeys}
        help={words.singleKeysHelp}
      />
    </Section>
  );
}
