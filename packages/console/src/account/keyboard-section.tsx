import { useQuery } from '@tanstack/react-query';
import { changePreferences, preferencesQuery } from '../lib/preferences.ts';
import { accountTexts } from '../text/account.ts';
import { Checkbox } from '../ui/checkbox.tsx';
import { Section } from './section.tsx';

const words = accountTexts.keyboard;

export function KeyboardSection() {
  const { data } = useQuery(preferencesQuery);
  if (!data) return null;
  return (
    <Section title={accountTexts.sections.keyboard}>
      <Checkbox
        checked={data.single_keys}
        onChange={(single_keys) => void changePreferences({ single_keys })}
        label={words.singleKeys}
        help={words.singleKeysHelp}
      />
    </Section>
  );
}
