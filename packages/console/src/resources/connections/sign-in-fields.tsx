import { connectionTexts } from '../../text/connections.ts';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { SecretInput } from '../common/secret-input.tsx';
import type { Grant } from './servers.ts';

const words = connectionTexts.servers;

/** A sign-in as it is typed; secrets are sent when they are not empty. */
export interface SignIn {
  grant: Grant | 'none';
  token_url: string;
  client_id: string;
  client_secret: string;
  refresh_token: string;
  scope: string;
}
export const noSignIn: SignIn = {
  ...{ grant: 'none', token_url: '', client_id: '', client_secret: '', refresh_token: '', scope: '' },
};

/** The fields of a request; what is empty is left out. */
export const bodyOfSignIn = ({ grant, ...texts }: SignIn) =>
  grant === 'none'
    ? {}
    : { grant_type: grant, ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text.trim() !== '')) };

interface SignInFieldsProps {
  value: SignIn;
  onChange: (value: SignIn) => void;
  faultOf: (name: string) => string | undefined;
  /** Secrets that the server has. */
  stored: readonly string[];
}

/** How tokens for a server are had. */
export function SignInFields({ value, onChange, faultOf, stored }: SignInFieldsProps) {
  const { grant } = value;
  const set = (change: Partial<SignIn>) => onChange({ ...value, ...change });
  const textField = (name: keyof SignIn, label: string, help?: string) => (
    <Field label={label} help={help} error={faultOf(name)}>
      <TextInput value={value[name]} autoComplete="off" onChange={({ target }) => set({ [name]: target.value })} />
    </Field>
  );
  const secretField = (name: 'client_secret' | 'refresh_token', label: string) => (
    <Field label={label} help={words.secretHelp} error={faultOf(name)}>
      <SecretInput
        placeholder={stored.includes(name) ? connectionTexts.vaults.stored : undefined}
        onChange={(typed) => set({ [name]: typed })}
      />
    </Field>
  );
  return (
    <>
      <Field label={words.signIn} error={faultOf('grant_type')}>
        <Select
          value={grant}
          options={Object.entries(words.grants).map(([option, label]) => ({ value: option, label }))}
          onChange={(next) => set({ grant: next as SignIn['grant'] })}
        />
      </Field>
      {(grant === 'client_credentials' || grant === 'refresh_token') && textField('token_url', words.tokenUrl)}
      {grant !== 'none' && textField('client_id', words.clientId)}
      {grant !== 'none' && secretField('client_secret', words.clientSecret)}
      {grant === 'refresh_token' && secretField('refresh_token', words.refreshToken)}
      {grant !== 'none' && textField('scope', words.scope, words.scopeHelp)}
    </>
  );
}
