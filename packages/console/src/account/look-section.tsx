import { useQuery } from '@tanstack/react-query';
import { changePreferences, preferencesQuery } from '../lib/preferences.ts';
import { accountTexts } from '../text/account.ts';
import { Field } from '../ui/field.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { Select } from '../ui/select.tsx';
import { ErrorState, Loading } from '../ui/states.tsx';
import { Section } from './section.tsx';

const words = accountTexts.look;
const optionsOf = <V extends string>(labels: Readonly<Record<V, string>>) =>
  (Object.entries(labels) as [V, string][]).map(([value, label]) => ({ value, label }));

export function LookSection() {
  const { data, isError, error, refetch } = useQuery(preferencesQuery);
  const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zones = Intl.supportedValuesOf('timeZone');
  return (
    <Section title={accountTexts.sections.look}>
      {isError && <ErrorState error={error} onRetry={() => void refetch()} className="m-0" />}
      {!data && !isError && <Loading rows={3} />}
      {data && (
        <>
          <Field label={words.theme} group>
            <Segmented
              label={words.theme}
              value={data.theme}
              options={optionsOf(words.themes)}
              onChange={(theme) => void changePreferences({ theme })}
            />
          </Field>
          <Field label={words.density} group>
            <Segmented
              label={words.density}
              value={data.density}
              options={optionsOf(words.densities)}
              onChange={(density) => void changePreferences({ density })}
            />
          </Field>
          <Field label={words.language} help={words.languageHelp}>
            <Select
              value={data.language}
              options={optionsOf({
                ...words.languages,
                ...(data.language !== 'en' && { [data.language]: data.language }),
              })}
              onChange={(language) => void changePreferences({ language })}
              className="max-w-80"
            />
          </Field>
          <Field label={words.zone}>
            <Select
              value={data.time_zone ?? ''}
              empty={words.zoneOfDevice(ownZone)}
              options={zones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
              onChange={(zone) => void changePreferences({ time_zone: zone || undefined })}
              className="max-w-80"
            />
          </Field>
        </>
      )}
    </Section>
  );
}
