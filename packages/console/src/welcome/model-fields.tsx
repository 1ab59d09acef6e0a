import { welcomeTexts } from '../text/welcome.ts';
import { Field } from '../ui/field.tsx';
import { PasswordInput } from '../ui/password-field.tsx';
import { Select } from '../ui/select.tsx';
import { TextInput } from '../ui/text-field.tsx';
import { accountName } from './steps.ts';
import type { ProviderInput } from './use-provider-test.ts';

const words = welcomeTexts.model;
export interface Typed {
  choice: 'server' | 'provider' | 'none';
  address: string;
  key: string;
  kind: keyof typeof words.kinds;
  region: string;
}

/** The account as it would be stored; nothing while something is missing. */
export function inputOf({ choice, address, key, kind, region }: Typed): ProviderInput | undefined {
  const base_urls = /^https?:\/\/[^\s@]+$/.test(address.trim()) ? [address.trim()] : [];
  const api_key = key.trim() || undefined;
  if (choice === 'server') {
    const [url] = base_urls;
    return url
      ? { provider: 'openai-compatible', name: accountName(url), base_urls, ...(api_key && { api_key }) }
      : undefined;
  }
  if (choice === 'none' || !api_key) return undefined;
  const needed = kind === 'azure' ? base_urls.length > 0 : kind === 'bedrock' ? region.trim() !== '' : true;
  if (!needed) return undefined;
  return {
    ...{ provider: kind, name: kind, api_key },
    ...(kind === 'azure' && { base_urls }),
    ...(kind === 'bedrock' && { region: region.trim() }),
  };
}

export function ModelFields({ typed, onChange }: { typed: Typed; onChange: (changes: Partial<Typed>) => void }) {
  const address = (
    <Field label={words.address}>
      <TextInput
        mono
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        placeholder={typed.choice === 'server' ? 'http://localhost:11434/v1' : 'https://'}
        value={typed.address}
        onChange={(event) => onChange({ address: event.target.value })}
      />
    </Field>
  );
  const key = (note?: string) => (
    <Field label={words.key} note={note}>
      <PasswordInput
        isKey
        autoComplete="off"
        value={typed.key}
        onChange={(event) => onChange({ key: event.target.value })}
      />
    </Field>
  );
  const look = 'mt-5.5 grid gap-4 phone:grid-cols-[1.4fr_1fr]';
  if (typed.choice === 'none') return null;
  if (typed.choice === 'server')
    return (
      <div className={look}>
        {address}
        {key(words.keyNote)}
      </div>
    );
  return (
    <div className={look}>
      <Field label={words.kind}>
        <Select
          value={typed.kind}
          options={Object.entries(words.kinds).map(([value, label]) => ({ value, label }))}
          onChange={(kind) => onChange({ kind: kind as Typed['kind'] })}
        />
      </Field>
      {key()}
      {typed.kind === 'azure' && address}
      {typed.kind === 'bedrock' && (
        <Field label={words.region}>
          <TextInput mono value={typed.region} onChange={(event) => onChange({ region: event.target.value })} />
        </Field>
      )}
    </div>
  );
}
